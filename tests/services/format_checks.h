// SPDX-License-Identifier: Apache-2.0
// The invariants of every formatted program.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"

namespace komuz::test {

// The tree of a program in post-order: kinds and words, with the number of elements in each bracket. It leaves out
// what the formatter decides: `;` and `,`, and parentheses that only group.
[[nodiscard]] std::vector<std::string> bare_tree(frontend::Compiler& compiler,
                                                 std::string_view source);
// In order.
[[nodiscard]] std::vector<std::string> comments_of(frontend::Compiler& compiler,
                                                   std::string_view source);

struct FormatChecker {
  frontend::Compiler compiler{};
  u64 formatted = 0, compiled = 0;  // so that a run that tests nothing is noticed

  // Returns the fault, or nothing: the result has another tree, other code or other comments, or formats to something
  // else. Programs with errors of syntax are skipped.
  [[nodiscard]] std::string check(std::string_view source);
};

}  // namespace komuz::test
