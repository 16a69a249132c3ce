// SPDX-License-Identifier: Apache-2.0
// A lane's view of the memory of its warp (drawn in warp_code.h), and the values of its cases in registers.
#pragma once
#include "lang/ops/lanes.h"
#include "vm/cuda/warp_code.h"

namespace komuz::vm {

// The unit of a memory instruction, whatever it holds.
struct alignas(16) [[gnu::may_alias]] Quad {
  u32 words[4];
};
inline constexpr u32 kQuadsPerCell = kWarpCellBytes / sizeof(Quad);
static_assert(sizeof(WarpOp) == sizeof(Quad) && kCasesPerLane == 4);

// Bit k: the lane's case k.
using CaseBits = u32;
inline constexpr CaseBits kAllCases = (1u << kCasesPerLane) - 1;

// One value for each case of a lane. For types narrower than 8 bytes `high` is meaningless; integers are extended to
// 32 bits.
struct CaseValues {
  u32 low[kCasesPerLane], high[kCasesPerLane];
};

template <class T>
HD T case_value(const CaseValues& values, u32 k) {
  if constexpr (sizeof(T) == 8) {
    return bits_as<T>(u64{values.high[k]} << 32 | values.low[k]);
  } else if constexpr (sizeof(T) == 4) {
    return bits_as<T>(values.low[k]);
  } else {
    return static_cast<T>(values.low[k]);
  }
}
template <class T>
HD void set_case_value(CaseValues& values, u32 k, T value) {
  if constexpr (sizeof(T) == 8) {
    const u64 bits = bits_as<u64>(value);
    values.low[k] = static_cast<u32>(bits);
    values.high[k] = static_cast<u32>(bits >> 32);
  } else if constexpr (sizeof(T) == 4) {
    values.low[k] = bits_as<u32>(value);
  } else {
    values.low[k] = value;
  }
}

// Loads a cell. `frame` is this lane's first quad of the frame.
HD CaseValues load_cell(const Quad* frame, u32 cell, bool is_wide) {
  const Quad* const at = frame + cell * kQuadsPerCell;
  CaseValues values;
  const Quad low = at[0];
  for (u32 k = 0; k < kCasesPerLane; ++k) values.low[k] = low.words[k];
  if (is_wide) {
    const Quad high = at[kWarpLanes];
    for (u32 k = 0; k < kCasesPerLane; ++k) values.high[k] = high.words[k];
  } else {
    for (u32 k = 0; k < kCasesPerLane; ++k) values.high[k] = 0;
  }
  return values;
}

// Stores for the active cases.
HD void store_cell(Quad* frame, u32 cell, bool is_wide, const CaseValues& values, CaseBits active) {
  Quad* const at = frame + cell * kQuadsPerCell;
  const u32 *low = values.low, *high = values.high;
  if (active == kAllCases) {
    at[0] = {{low[0], low[1], low[2], low[3]}};
    if (is_wide) at[kWarpLanes] = {{high[0], high[1], high[2], high[3]}};
    return;
  }
  for (u32 k = 0; k < kCasesPerLane; ++k) {
    if ((active >> k & 1) == 0) continue;
    at[0].words[k] = low[k];
    if (is_wide) at[kWarpLanes].words[k] = high[k];
  }
}

HD CaseValues splat_cases(u64 cell) {
  CaseValues values;
  for (u32 k = 0; k < kCasesPerLane; ++k) {
    values.low[k] = static_cast<u32>(cell);
    values.high[k] = static_cast<u32>(cell >> 32);
  }
  return values;
}

// The cases in which a bool is true.
HD CaseBits true_cases(const CaseValues& bools) {
  CaseBits bits = 0;
  for (u32 k = 0; k < kCasesPerLane; ++k) bits |= (bools.low[k] & 1) << k;
  return bits;
}

}  // namespace komuz::vm
