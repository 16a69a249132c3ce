// SPDX-License-Identifier: Apache-2.0
// The sources that the benchmarks compile. The same arguments give the same sources on every machine.
#pragma once
#include <string>
#include <vector>

#include "base/ints.h"

namespace komuz::bench {

// A batch of sources, and its size.
struct Sources {
  std::vector<std::string> texts;
  size_t bytes = 0;

  void add(std::string text) {
    bytes += text.size();
    texts.push_back(std::move(text));
  }
};

// Well-typed programs of at least `bytes` bytes, and less than one function more: functions on i64 and f64 with
// `let`, `var`, assignments, `if`, `for`, `while`, and calls of the functions before them.
[[nodiscard]] Sources make_programs(u32 count, u32 bytes, u64 seed);

// The same programs, each with one unknown name in its last function.
[[nodiscard]] Sources make_failing_programs(u32 count, u32 bytes, u64 seed);

// Expressions over a b c x y z w, one a line, with all parentheses or only those that precedence needs. A quarter
// of the operators divide. They are read from the file that the environment variable KOMUZ_EXPRTK names, or else
// generated with a mean of 27 nodes.
[[nodiscard]] std::vector<std::string> expressions();
[[nodiscard]] std::vector<std::string> make_expressions(u32 count, u64 seed);
// "from KOMUZ_EXPRTK" or "generated", for the head of a table.
[[nodiscard]] const char* expressions_origin();

// One function `f` of seven parameters of `type` that returns the expression.
[[nodiscard]] std::string expression_program(const std::string& expression, const char* type);
[[nodiscard]] Sources make_expression_programs(const std::vector<std::string>& expressions,
                                               const char* type);

}  // namespace komuz::bench
