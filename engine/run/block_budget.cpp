// SPDX-License-Identifier: Apache-2.0
#include "engine/run/block_budget.h"

namespace komuz::engine {
namespace {

constexpr u64 kMostTicks = ~u64{0};

}  // namespace

void BlockBudget::add(u8 effort) {
  ++candidates_;
  if (effort == kSlowEffort) {
    ++slow_;
    return;
  }
  const u64 ticks = effort >= 64 ? kMostTicks : (u64{1} << effort) - 1;
  others_ = others_ > kMostTicks - ticks ? kMostTicks : others_ + ticks;
}

// A tick of a case that runs alone takes as long as several ticks of cases that run together.
u64 BlockBudget::share(u64 least_shared, u64 least_each) const {
  constexpr u64 kTogether = 8;
  return std::max(std::max(least_shared, others_ / kTogether) / std::max<u64>(slow_, 1),
                  least_each);
}

u64 BlockBudget::least_budget() const { return share(fuel_, slow_ticks(fuel_, {})); }

u64 BlockBudget::budget() const {
  constexpr u64 kFewOf = 8, kOfMany = 16;
  if (slow_ * kFewOf <= candidates_) return least_budget();
  return share(fuel_ > kMostTicks / kOfMany ? kMostTicks : fuel_ * kOfMany, fuel_);
}

u64 budget_alone(u64 fuel) {
  BlockBudget alone(fuel);
  alone.add(kSlowEffort);
  return alone.budget();
}

}  // namespace komuz::engine
