// SPDX-License-Identifier: Apache-2.0
// A program per thread, as the paper has it (docs/paper.md): each thread interprets the bytecode of its own program,
// case after case. Kept to be measured beside the machine of warps. Code without control flow and variables only.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/problem.h"
#include "lang/cases.h"
#include "lang/code.h"

namespace komuz::bench {

// Operands of a program at most; a parameter's cells are read where they are.
inline constexpr u32 kThreadStack = 32;

struct ThreadPrograms {
  std::vector<Instruction> instructions;
  std::vector<u64> constants;
  std::vector<u32> code_begins, constant_begins;  // of each program, and an end

  ThreadPrograms() : code_begins{0}, constant_begins{0} {}
  // The only function of the code. False if it has what such a thread does not know.
  [[nodiscard]] bool add(const CodeView& code);
};

struct ThreadRun {
  f64 seconds = 0;          // that the kernel took, by the device's clock
  std::vector<u64> values;  // a column of cells for each program; 0 where a case trapped
  Problem problem;
};
// `columns[p]`: the cells of parameter p, one for each case.
[[nodiscard]] ThreadRun run_program_per_thread(const ThreadPrograms& programs,
                                               std::span<const std::vector<u64>> columns);

}  // namespace komuz::bench
