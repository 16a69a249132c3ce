// SPDX-License-Identifier: Apache-2.0
#include "python/binding/program_tier.h"

#include <utility>

namespace komuz::python {

ProgramTier::~ProgramTier() {
  if (const std::shared_ptr<engine::NativeTier> tier = asked_.lock()) tier->withdraw(*code_);
}

const backend::NativeCode* ProgramTier::native() const {
  const std::scoped_lock lock(mutex_);
  return code_ != nullptr ? code_->native() : nullptr;
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
  code_->note_native(work.rows, work.ticks, work.ns);
  tier.leave_if_slower(*code_);
}

}  // namespace komuz::python
