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

// One case, as compiled code: row `row` of columns of arguments (cases.h). Result k goes to values[k · stride] as a
// cell. Gives 0, or how the case trapped; the values are then not written, and `left` + `reserve` are the ticks that it
// did not use. The tick of the entry is the caller's.
using RunCase = u64 (*)(CaseState* state, const void* const* columns, u64 row, u64* values,
                        u64 stride);

// Compiled code for one function of a program.
struct CompiledCode {
  RunCase run = nullptr;
  u64 scratch_bytes = 0;
  u64 stack_bytes = 0;  // of the thread's stack, at most
  u64 code_bytes = 0;   // of the object file
  void* owner = nullptr;
};

}  // namespace komuz::backend
