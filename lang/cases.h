// SPDX-License-Identifier: Apache-2.0
// Cases as columns (the inputs of a program) and outcomes (its results). Views only; the engine owns the memory.
#pragma once
#include <span>

#include "lang/traps.h"
#include "lang/types.h"

namespace komuz {

// The value of one parameter slot for every case: `scalar_bytes(type)` bytes each, bool as 0 or 1. `data` is aligned
// to 64 bytes, and may be read up to the next multiple of 64 bytes behind the last value.
struct ArgumentColumn {
  Scalar type = Scalar::None;
  const void* data = nullptr;
};

// Rows [0, count) of every column; one column for each parameter slot of the entry, in order.
struct CasesView {
  std::span<const ArgumentColumn> columns;
  u32 count = 0;
};

// The outcome of each case, as columns of `count` rows. A value is 64 bits: integers extended by their sign or by
// zero, bool as 0 or 1, f32 as its bits in the low half, a NaN as the canonical quiet NaN. A trapped case's value is
// 0.
struct OutcomesView {
  std::span<u64> values;  // result_cells columns of `count` rows, one behind the other
  std::span<Trap> traps;
  std::span<u32> places;  // of a trapped case: the instruction; else 0
  std::span<u32> depths;  // of a trapped case: live frames, the entry's included; else 0
  std::span<u64> fuel;    // ticks used
};

inline constexpr u64 kCanonicalNan64 = 0x7FF8'0000'0000'0000u;
inline constexpr u64 kCanonicalNan32 = 0x7FC0'0000u;
inline constexpr u64 kDefaultFuel = 1'000'000;
inline constexpr u32 kDefaultStackLimit = 64u << 10;  // bytes a lane

}  // namespace komuz
