// SPDX-License-Identifier: Apache-2.0
#include "python/binding/program_tier.h"

#include <utility>

namespace komuz::python {
namespace {

// Of rows that run natively, before nobody looks any more whether they are faster so: some calls.
constexpr i64 kLookedAtNs = 5'000'000;

}  // namespace

ProgramTier::~ProgramTier() {
  if (const std::shared_ptr<engine::NativeTier> tier = asked_.lock()) tier->withdraw(*code_);
}

ProgramTier::Way ProgramTier::way() const {
  const std::scoped_lock lock(mutex_);
  if (code_ == nullptr) return {.is_timed = !is_left_alone_};
  const backend::NativeCode* const native = code_->native();
  if (native != nullptr) return {native, native_ns_ < kLookedAtNs};
  return {.is_timed = !code_->is_refused()};
}

void ProgramTier::note_batch(const Work& work, const std::shared_ptr<engine::NativeTier>& tier,
                             const CodeView& code, u32 function) {
  const std::scoped_lock lock(mutex_);
  if (is_left_alone_) return;
  ticks_ += work.ticks;
  ns_ += work.ns;
  if (code_ == nullptr) {
    if (ns_ < tier->rules().notice_ns) return;
    code_ = tier->find(code, function, engine::Company::Many);
    is_left_alone_ = code_ == nullptr;
    if (is_left_alone_) return;
  }
  code_->note_vm(std::exchange(ticks_, 0), std::exchange(ns_, 0));
  constexpr f64 kUnknown = -1;
  if (has_asked_ || !tier->pays(*code_, kUnknown)) return;
  has_asked_ = true;
  asked_ = tier;
  tier->request(code_, code);
}

void ProgramTier::note_native(const Work& work, engine::NativeTier& tier) {
  const std::scoped_lock lock(mutex_);
  native_ns_ += work.ns;
  code_->note_native(work.rows, work.ticks, work.ns);
  tier.leave_if_slower(*code_);
}

}  // namespace komuz::python
