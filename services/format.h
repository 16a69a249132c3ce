// SPDX-License-Identifier: Apache-2.0
// The formatter: a program's text in, the one way to write it out. What it writes follows from the tokens, the tree that
// the front end makes of them, and the comments; blanks and line ends have no say, but for empty lines beside comments.
// There are no options. See docs/language.md, "Formatter".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"

namespace komuz::services {

struct Formatted {
  bool ok = false;                      // false: there are errors of syntax
  std::string text;                     // empty if it is not
  std::vector<Diagnostic> diagnostics;  // of the source, if it is not
};

// Errors of names and types, and what is not supported yet, do not stand in its way.
[[nodiscard]] Formatted format(frontend::Compiler& compiler, std::string_view source);

}  // namespace komuz::services
