// SPDX-License-Identifier: Apache-2.0
// The operations that the threads of a device apply to shared memory, for the case that one thread does everything.
#pragma once
#include <algorithm>
#include <utility>

#include "base/ints.h"

namespace komuz {

struct PlainMachine {
  u64 fetch_add(u64& cell, u64 more) const { return std::exchange(cell, cell + more); }
  void min_into(u32& cell, u32 value) const { cell = std::min(cell, value); }
  void min_into(u64& cell, u64 value) const { cell = std::min(cell, value); }
  void max_into(u64& cell, u64 value) const { cell = std::max(cell, value); }
  u64 compare_exchange(u64& cell, u64 expected, u64 value) const {
    return cell == expected ? std::exchange(cell, value) : cell;
  }
};

}  // namespace komuz
