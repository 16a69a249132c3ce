// SPDX-License-Identifier: Apache-2.0
// Detects writes behind a list: counts the untouched gaps in memory that RowsMemory hands out with gaps.
#pragma once
#include <span>

#include "base/rows.h"

namespace komuz::test {

[[nodiscard]] inline u32 count_gaps(std::span<const u8> memory, u32 gap) {
  u32 gaps = 0, marks = 0;
  for (const u8 byte : memory) {
    marks = byte == RowsMemory::kMark ? marks + 1 : 0;
    gaps += marks != 0 && marks % gap == 0;
  }
  return gaps;
}

}  // namespace komuz::test
