// SPDX-License-Identifier: Apache-2.0
// What compiled code and the code that calls it share.
#pragma once
#include <atomic>
#include <cstddef>

#include "base/ints.h"

namespace komuz::backend {

// The state of the case that a thread runs. Compiled code counts ticks down: it takes a slice of the budget at a time,
// and looks at `stop` in between.
struct CaseState {
  u64 left = 0;                  // ticks of the present slice
  u64 reserve = 0;               // ticks behind it
  u64 ended = 0;                 // how a case trapped: the trap, depth << 8, place << 32
  std::byte* scratch = nullptr;  // memory for areas, of CompiledCode::scratch_bytes
  std::atomic<u32> stop = 0;     // 1: end soon, with a meaningless outcome
};
inline constexpr u64 kSlice = u64{1} << 14;

// That of code which loads constants (loaded_constants.h).
struct SharedCaseState {
  CaseState state;
  const u64* constants = nullptr;  // a cell each
};

// One case, as compiled code: row `row` of columns of arguments (cases.h). Result k goes to values[k · stride] as a
// cell. Gives 0, or how the case trapped; the values are then not written, and `left` + `reserve` are the ticks that it
// did not use. The tick of the entry is the caller's.
using RunCase = u64 (*)(CaseState* state, const void* const* columns, u64 row, u64* values,
                        u64 stride);

// The state of the cases that code for many of them runs, one a lane.
inline constexpr u32 kMostLanes = 32;
struct alignas(64) LaneState {
  u64 left[kMostLanes] = {};     // ticks that each lane had when budgets were looked at
  u64 ended[kMostLanes] = {};    // as CaseState::ended, or 0
  u64 budget = 0;                // of each case, less 1 for the call
  std::byte* scratch = nullptr;  // aligned to 64 bytes
  std::atomic<u32> stop = 0;
  // Outcomes (cases.h): result k of row r is values[k · stride + r].
  u64* values = nullptr;
  u64 stride = 0;
  u8* traps = nullptr;
  u32 *places = nullptr, *depths = nullptr;
  u64* fuel = nullptr;
  // Those that code loads: a cell each, or a row of cells, one of each lane, aligned to 64 bytes.
  const u64* constants = nullptr;
};

// `count` cases from row `row` on, at most one a lane. Reads and writes as many rows as there are lanes: the rows
// behind those of `count` are meaningless.
using RunLanes = void (*)(LaneState* state, const void* const* columns, u64 row, u64 count);

// Compiled code for one function of a program.
struct CompiledCode {
  u32 lanes = 1;
  u32 has_slices = 1;            // 0: `left` is the whole budget
  RunCase run = nullptr;         // of one lane
  RunLanes run_lanes = nullptr;  // of more
  u64 scratch_bytes = 0;
  u64 stack_bytes = 0;  // of the thread's stack, at most
  u64 code_bytes = 0;   // of the object file
  void* owner = nullptr;
};

}  // namespace komuz::backend
