// SPDX-License-Identifier: Apache-2.0
#include "engine/run/cheaper_run.h"

#include <algorithm>

#include "engine/native/native_tier.h"

namespace komuz::engine {
namespace {

f64 pace(u64 ticks, f64 ns) { return ticks == 0 ? 0 : ns / static_cast<f64>(ticks); }

}  // namespace

CheaperCode* CheaperRun::source_of(const MachineOptions& machines) {
  CheaperCode* const source = machines.cheaper;
  if (source == nullptr || machines.machine != MachineKind::Batch) return nullptr;
  const bool is_native =
      machines.native != nullptr && machines.native->choice() == NativeChoice::Always;
  return is_native && !source->is_for_all() ? nullptr : source;
}

void CheaperRun::begin(const Program& program, const std::stop_token& stop) {
  if (source_ == nullptr) return;
  as_it_is_ = program.code;
  function_ = program.function;
  code_ = nullptr;
  use_ = {};
  use_.was_run = true;
  asked_ns_ = 0;
  // To ask for the time takes long beside a short program. Where others were short, few are timed.
  constexpr u32 kTimedEach = 16;
  constexpr f64 kNear = 1.0 / 16;
  const bool may_be_long = !program.is_one_slice || usual_ns_ >= kNear * source_->notice_ns();
  is_timed_ = may_be_long || programs_++ % kTimedEach == 0;
  const f64 expected = std::min(usual_ns_, last_ns_);
  // The case that ends one that was set aside is mostly shown, and runs again: half of the time is lost then.
  const bool may_pay = !program.was_set_aside && expected >= source_->notice_ns();
  if (source_->is_for_all() || may_pay) ask(expected, stop);
}

void CheaperRun::ask(f64 waiting_ns, const std::stop_token& stop) {
  CheaperAnswer answer = source_->find({as_it_is_, function_, waiting_ns, asked_ns_}, stop);
  asked_ns_ = std::max(asked_ns_, waiting_ns);
  if (stop.stop_requested()) return;
  is_timed_ = use_.was_asked = true;
  use_.way = answer.way;
  use_.is_cheaper = answer.code != nullptr;
  code_ = std::move(answer.code);
}

void CheaperRun::count(u32 cases, u64 ticks, bool was_native) {
  if (source_ == nullptr || was_native) return;
  const f64 ns = slice_ns_;
  const bool is_cheaper = code_ != nullptr;
  (is_cheaper ? use_.cheaper_cases : use_.cases) += cases;
  (is_cheaper ? use_.cheaper_ticks : use_.ticks) += ticks;
  (is_cheaper ? use_.cheaper_ns : use_.ns) += ns;
}

// By enough of both that a single slice does not decide.
bool CheaperRun::is_slower() const {
  constexpr f64 kEnough = 500'000;
  if (source_->is_for_all() || use_.ns < kEnough || use_.cheaper_ns < kEnough) return false;
  return pace(use_.cheaper_ticks, use_.cheaper_ns) > pace(use_.ticks, use_.ns);
}

void CheaperRun::look(u32 waiting, const std::stop_token& stop) {
  if (source_ == nullptr || waiting == 0) return;
  if (code_ != nullptr) {
    if (!is_slower()) return;
    use_.was_left = true;
    code_ = nullptr;
    return;
  }
  // The first cases of a program take longer than others: the code is lowered, and nothing is in a cache.
  constexpr f64 kEnough = 1.0 / 8;
  const bool is_known = use_.cases != 0 && use_.ns >= kEnough * source_->notice_ns();
  if (use_.was_left || use_.was_wrong || !is_known || source_->is_for_all()) return;
  const f64 waiting_ns = use_.ns / static_cast<f64>(use_.cases) * static_cast<f64>(waiting);
  // Again only where far more is waiting than it seemed.
  constexpr f64 kFarMore = 4;
  if (waiting_ns >= std::max(source_->notice_ns(), kFarMore * asked_ns_)) ask(waiting_ns, stop);
}

void CheaperRun::drop() {
  source_->note_fault({as_it_is_, function_});
  code_ = nullptr;
  use_.was_wrong = true;
}

void CheaperRun::end(CheaperUse& out) {
  if (source_ == nullptr) return;
  code_ = nullptr;
  out = use_;
  if (!is_timed_) return;
  const f64 share = use_.is_cheaper ? std::min(use_.way.saved_share, 0.9) : 0;
  last_ns_ = use_.ns + use_.cheaper_ns / (1 - share);
  usual_ns_ = (3 * usual_ns_ + last_ns_) / 4;
}

}  // namespace komuz::engine
