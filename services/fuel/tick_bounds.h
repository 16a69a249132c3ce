// SPDX-License-Identifier: Apache-2.0
// The most ticks of fuel that a call of each function can take, as far as its code says: jumps go forward, and a loop has a bound
// where its ends are numbers that the code shows, where it has a `limit`, and where it reads an element of an array in each round.
// Where there is no bound, what it would depend on.
#pragma once
#include <optional>
#include <vector>

#include "lang/code.h"

namespace komuz::services {

struct TickBound {
  // Of a call, with its own tick. Nothing: the rest says why.
  std::optional<u64> most;
  std::vector<u32> places;   // in the source: ends of loops, loops, numbers of ticks
  std::vector<u32> callees;  // functions without a bound
  bool is_recursive = false;
};
// One a function. A bound holds for all arguments; a run that ends in a trap takes no more, either.
[[nodiscard]] std::vector<TickBound> tick_bounds(const CodeView& code);

}  // namespace komuz::services
