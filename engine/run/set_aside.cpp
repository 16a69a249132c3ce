// SPDX-License-Identifier: Apache-2.0
#include "engine/run/set_aside.h"

#include <algorithm>

namespace komuz::engine {

u32 SetAside::block_end(u32 i) const {
  const u64 behind = u64{epoch_.row(0)} + i - first_block_;
  return i + static_cast<u32>(BlockBudget::kBlock - behind % BlockBudget::kBlock);
}

bool SetAside::waits_for_more() const {
  const u32 count = epoch_.size();
  if (is_search_ || options_.limits.candidate_budget) return false;
  for (u32 i = count; i > epoch_.committed() && block_end(i - 1) > count; --i)
    if (epoch_.is_set_aside(i - 1)) return true;
  return false;
}

void SetAside::run(const Suite& suite, const ScoreLimits& limits) {
  suite_ = &suite;
  limits_ = limits;
  const u32 count = epoch_.size();
  for (u32 begin = epoch_.committed(), end = 0; begin < count && !workers_.stop.stop_requested();
       begin = end) {
    end = std::min(block_end(begin), count);
    left_.clear();
    for (u32 i = begin; i < end; ++i)
      if (epoch_.is_set_aside(i)) left_.push_back(i);
    if (!left_.empty()) run_block(end);
  }
}

// First with what each may take, whoever turns out to be slow; then, who has not come to an end, with all that there is.
void SetAside::run_block(u32 end) {
  const u64 slow = slow_ticks(options_.limits.fuel, options_.limits.candidate_budget);
  if (options_.limits.candidate_budget)
    return run_left({*options_.limits.candidate_budget, slow, true});
  const u64 least = block_budget(end).least_budget();
  run_left({least, slow, false});
  std::erase_if(left_, [this](u32 i) { return !epoch_.result(i).set_aside; });
  if (left_.empty() || workers_.stop.stop_requested()) return;
  const u64 budget = block_budget(end).budget();
  if (budget != least) return run_left({budget, slow, true});
  for (const u32 i : left_) {
    epoch_.result(i).set_aside = false;
    epoch_.result(i).done = true;
  }
}

void SetAside::run_left(const CaseBudget& budget) {
  const std::stop_token& stop = workers_.stop;
  const auto run = [&, this](u32 worker, u32 k) {
    if (stop.stop_requested()) return;
    CandidateRunner& runner = workers_.runners[worker];
    const Candidate& candidate = epoch_.candidate(left_[k]);
    CandidateResult& result = epoch_.result(left_[k]);
    CaseBudget own = budget;
    own.was_set_aside = true;
    own.slow_case = result.slow_case;
    result.clear();
    if (runner.take(candidate, *suite_, stop, result))
      runner.run(result.compiled_text(candidate.source), *suite_, limits_, own, stop, result);
    result.set_aside = result.set_aside || (!result.done && stop.stop_requested());
  };
  constexpr u32 kTaken = 1;  // each takes long
  workers_.pool.run(
      static_cast<u32>(left_.size()), run, [](u32) {}, kTaken);
}

BlockBudget SetAside::block_budget(u32 end) const {
  BlockBudget block(options_.limits.fuel);
  const u64 last = u64{epoch_.row(0)} + end - 1 - first_block_;
  for (u64 row = first_block_ + last - last % BlockBudget::kBlock; row < u64{epoch_.row(0)} + end;
       ++row)
    block.add(effort(static_cast<u32>(row)));
  return block;
}

u8 SetAside::effort(u32 row) const {
  const u32 first_of_others = epoch_.row(epoch_.committed());
  if (row >= first_of_others) row = epoch_.representative(row - epoch_.row(0));
  if (row < first_of_others) return collector_.effort(row);
  const CandidateResult& result = epoch_.result(row - epoch_.row(0));
  return result.set_aside ? kSlowEffort : effort_of(result.row);
}

void SetAside::leave_stopped() {
  u32 end = epoch_.committed();
  for (u32 i = epoch_.committed(); i < epoch_.size(); ++i) {
    const bool is_own = epoch_.is_first(i);
    const CandidateResult& result = epoch_.result(i);
    if (is_own && !result.done && !result.set_aside) break;
    if (!is_own || result.done) end = i + 1;
  }
  for (u32 i = epoch_.committed(); i < end; ++i)
    if (epoch_.is_set_aside(i)) engine::leave_stopped(epoch_.result(i));
}

}  // namespace komuz::engine
