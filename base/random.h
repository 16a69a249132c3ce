// SPDX-License-Identifier: Apache-2.0
// A seeded stream of pseudo-random numbers, the same on every machine: SplitMix64 (Steele, Lea and Flood, 2014).
#pragma once
#include <iterator>

#include "base/ints.h"

namespace komuz {

class Random {
 public:
  HD explicit Random(u64 seed) : state_(seed) {}

  HD u64 next() {
    u64 z = state_ += 0x9E37'79B9'7F4A'7C15u;
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9u;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBu;
    return z ^ (z >> 31);
  }
  // A number from 0 to n - 1, for 0 < n < 2^32. The bias of the multiplication is below n / 2^32.
  HD u32 below(size_t n) { return static_cast<u32>((next() >> 32) * n >> 32); }
  // True once in n times.
  HD bool one_in(u32 n) { return below(n) == 0; }
  // An element of an array or container that is not empty.
  template <class List>
  auto& pick(List&& list) {
    return list[below(std::size(list))];
  }

 private:
  u64 state_;
};

}  // namespace komuz
