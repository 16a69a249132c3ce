// SPDX-License-Identifier: Apache-2.0
// Where the cells of a function lie when it runs. A slot of its own is a register, as far as LLVM finds one. Slots that
// are accessed by offsets are an array: on the stack if it is small and nobody refers to it, else in scratch memory.
#pragma once
#include <string>
#include <vector>

#include "lang/code.h"

namespace komuz::backend::ir {

// What fits into registers; more parameters or results are passed in memory, in cells of 8 bytes.
inline constexpr u32 kMostParameters = 8, kMostResults = 4;
// The largest array on the stack, in bytes.
inline constexpr u32 kMostOnStack = 4096;
inline constexpr u32 kNoArea = ~u32{0};

// A stretch of slots of one type.
struct AreaPlan {
  u32 first = 0, slots = 0;
  Scalar type = Scalar::None;
  bool in_scratch = false;
  u32 offset = 0;  // in the function's part of the scratch memory, in bytes
};

struct FramePlan {
  std::vector<AreaPlan> areas;
  std::vector<u32> area_of;  // for each slot the number of its area, or kNoArea
  // Cells of the memory for arguments and results of calls, and where it is in scratch memory.
  u32 passed_cells = 0, returned_cells = 0;
  bool passes_in_scratch = false;
  u32 passed_offset = 0, returned_offset = 0;
  u32 scratch_bytes = 0;
};

struct ProgramPlan {
  std::vector<u32> functions;             // those that the entry may reach, the entry first
  std::vector<FramePlan> frames;          // by number of function; of the others empty
  std::vector<std::vector<u32>> callees;  // as well
  bool uses_scratch = false;
  u64 size = 0;  // instructions, and cells that they move
};

[[nodiscard]] ProgramPlan plan_program(const CodeView& code, u32 entry);

// What a call of the entry takes of something of which a call of function f itself takes own[f]: recursion as often as
// it may.
[[nodiscard]] u64 most_of_chain(const CodeView& code, const ProgramPlan& plan,
                                const std::vector<u64>& own);

[[nodiscard]] std::vector<Scalar> result_types(const CodeView& code, const Function& f);

}  // namespace komuz::backend::ir
