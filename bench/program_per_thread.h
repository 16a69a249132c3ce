// SPDX-License-Identifier: Apache-2.0
// A program in each thread, as in the paper (docs/paper.md): each thread interprets the bytecode of its own
// program, case after case. It is kept for measurements beside the machine of warps. It takes only code without
// control flow and without variables.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/problem.h"
#include "lang/cases.h"
#include "lang/code.h"

namespace komuz::bench {

// The most operands of a program. The cells of parameters are read in place.
inline constexpr u32 kThreadStack = 32;

struct ThreadPrograms {
  std::vector<Instruction> instructions;
  std::vector<u64> constants;
  std::vector<u32> code_begins, constant_begins;  // of each program, and an end

  ThreadPrograms() : code_begins{0}, constant_begins{0} {}
  // Adds the only function of the code. Returns false if such a thread cannot run it.
  [[nodiscard]] bool add(const CodeView& code);
};

struct ThreadRun {
  f64 seconds = 0;          // of the kernel, by the device's clock
  std::vector<u64> values;  // a column of cells for each program; 0 where a case trapped
  Problem problem;
};
// `columns[p]`: the cells of parameter p, one for each case.
[[nodiscard]] ThreadRun run_program_per_thread(const ThreadPrograms& programs,
                                               std::span<const std::vector<u64>> columns);

}  // namespace komuz::bench
