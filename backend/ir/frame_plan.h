// SPDX-License-Identifier: Apache-2.0
// Where the cells of a function lie when it runs. A slot of its own is a register, as far as LLVM finds one. Slots
// that are accessed by offsets, or moved many at once, are an area: memory with 8 bytes for each, on the stack if
// they are few and nobody refers to them, else in scratch memory.
//
// Many cells that one instruction pushes on the operand stack are a stretch: memory that is written there at once, and
// read where the cells are used. So code does not become longer with the arrays that it moves.
#pragma once
#include <string>
#include <vector>

#include "lang/code.h"

namespace komuz::backend::ir {

// What fits into registers; more parameters or results are passed in memory, in cells of 8 bytes.
inline constexpr u32 kMostParameters = 8, kMostResults = 4;
// So many cells are moved as memory.
inline constexpr u32 kStretch = 16;
// The largest memory on the stack, in bytes.
inline constexpr u32 kMostOnStack = 4096;
inline constexpr u32 kNowhere = ~u32{0};

// Cells in memory.
struct MemoryPlan {
  u32 cells = 0;
  bool in_scratch = false;
  u32 offset = 0;  // in the function's part of the scratch memory, in bytes
};
struct AreaPlan : MemoryPlan {
  u32 first = 0;  // slot
};

struct FramePlan {
  std::vector<AreaPlan> areas;
  std::vector<u32> area_of;  // for each slot the number of its area, or kNowhere
  std::vector<MemoryPlan> stretches;
  // For each instruction the number of the stretch that it pushes, or kNowhere.
  std::vector<u32> stretch_of;
  MemoryPlan passed, returned;  // for arguments and results of calls
  u32 scratch_bytes = 0;
};

struct ProgramPlan {
  std::vector<u32> functions;             // those that the entries may reach, the entries first
  u32 entries = 0;                        // how many these are
  std::vector<FramePlan> frames;          // by number of function; of the others empty
  std::vector<std::vector<u32>> callees;  // as well
  bool uses_scratch = false;
  u64 size = 0;  // instructions, and cells that they move one by one
};

// For so many cases at a time; with more than one, all memory is scratch memory, and each cell takes 8 bytes for each.
[[nodiscard]] ProgramPlan plan_program(const CodeView& code, std::span<const u32> entries,
                                       u32 lanes);

// What a call of an entry takes at most of something of which a call of function f itself takes own[f]: recursion as
// often as it may.
[[nodiscard]] u64 most_of_chain(const CodeView& code, const ProgramPlan& plan,
                                const std::vector<u64>& own);

[[nodiscard]] std::vector<Scalar> result_types(const CodeView& code, const Function& f);

}  // namespace komuz::backend::ir
