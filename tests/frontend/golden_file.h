// SPDX-License-Identifier: Apache-2.0
// A golden file is a program whose comments, on lines of their own, state the expectations:
//
//   let x: i64 = 1.0;
//   //~ 14+3 K0301 expected `i64`, found a float literal
//                      a diagnostic on the line above: column, length in bytes (… if it extends beyond the line's end),
//                      code, message and, if there is a fix, ` | fix 14+3 "…"`
//   //= f(1, 2) == 3 fuel 1
//   //= g(0) traps DIV_ZERO at 3:7 depth 1 fuel 1
//   //= fuel 10: h(0) traps FUEL at 3:7 depth 1 fuel 10
//                      a run, with its own budget behind `fuel`
//   //= tests          all tests of the program, followed by one line for each:
//   //=   passes "name" fuel 3
//
// With KOMUZ_UPDATE=1 in the environment the tests write their findings into the files.
#pragma once
#include <string>
#include <string_view>

#include "lang/library.h"
#include "tests/frontend/everywhere.h"

namespace komuz::test {

// The file's text with its expectations replaced by the actual behaviour. `failure`: faults that no update can mend,
// such as groups or machines that differ, or a run that cannot be read. `library`: that of the groups.
[[nodiscard]] std::string remade_golden_file(std::string_view text, EveryGroup& groups,
                                             EveryMachine& machines, const Library& library,
                                             std::string& failure);

}  // namespace komuz::test
