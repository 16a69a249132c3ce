// SPDX-License-Identifier: Apache-2.0
// Random programs that pass the checker: every pure operation, nested branches and loops, lazy operators, calls,
// recursion within its bound, early exits. Most runs soon end in a value or in a trap; fuel ends the rest.
#pragma once
#include "tests/vm/code_builder.h"

namespace komuz::test {

struct GeneratedCode {
  Code code;
  u32 entry = 0;
};
enum class ProgramKind : u8 {
  Any,
  Loops,  // mostly loops whose iterations are shared among lanes when there are few cases
};
// `size` is a rough limit on the instructions of a function.
[[nodiscard]] GeneratedCode generate_code(u64 seed, u32 size, ProgramKind kind = ProgramKind::Any);

// A row of cells for each parameter of the function.
[[nodiscard]] std::vector<std::vector<u64>> random_cases(const Code& code, u32 function, u32 count,
                                                         u64 seed);

}  // namespace komuz::test
