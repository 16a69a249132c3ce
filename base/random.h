// SPDX-License-Identifier: Apache-2.0
// Pseudo-random numbers for test schedules: splitmix64 (Steele, Lea, Flood, 2014). The same on every machine.
#pragma once
#include "base/ints.h"

namespace komuz {

class Random {
 public:
  explicit Random(u64 seed) : state_(seed) {}

  u64 next() {
    state_ += 0x9E37'79B9'7F4A'7C15u;
    u64 z = state_;
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9u;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBu;
    return z ^ (z >> 31);
  }
  // 0 … n - 1; the bias of the multiplication is below n / 2^32.
  u32 below(u32 n) { return static_cast<u32>(((next() >> 32) * n) >> 32); }

 private:
  u64 state_;
};

}  // namespace komuz
