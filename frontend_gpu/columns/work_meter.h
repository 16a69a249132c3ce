// SPDX-License-Identifier: Apache-2.0
// Counts the work of compiling one program: a step for each element that a primitive of the serial group visits,
// and for each element that a loop inside of one looks at. The count follows from the text alone, so the same
// programs exceed a budget on every machine. Every few ten thousand steps the meter checks whether to go on.
#pragma once
#include <algorithm>
#include <stop_token>

#include "base/ints.h"

namespace komuz::frontend {

// Thrown out of the middle of a pass, which has nothing to clean up. It never leaves the front end.
struct CutShort {
  enum class Reason : u8 { Stopped, OverBudget } reason;
};

// The most steps for a byte of text. `match` takes the most: its cases are counted up to 2^18 for each.
inline constexpr u64 kMostWorkOfByte = 4096;

class WorkMeter {
 public:
  // Steps between two checks, a fraction of a millisecond.
  static constexpr u64 kBetweenLooks = 1u << 16;

  // Begins a new program. The token is not copied, because a copy would count in memory that all threads share.
  void begin(u64 budget, const std::stop_token& stop) {
    work_ = 0;
    budget_ = budget;
    stop_ = stop.stop_possible() ? &stop : nullptr;
    set_next();
  }
  void count(u64 steps) {
    work_ += steps;
    if (work_ > next_) [[unlikely]]
      look();
  }
  [[nodiscard]] u64 work() const { return work_; }

 private:
  void set_next() { next_ = std::min(budget_, stop_ != nullptr ? work_ + kBetweenLooks : budget_); }
  [[gnu::cold, gnu::noinline]] void look();

  u64 work_ = 0, budget_ = ~u64{0};
  u64 next_ = ~u64{0};  // the next check is due above so many steps
  const std::stop_token* stop_ = nullptr;
};

}  // namespace komuz::frontend
