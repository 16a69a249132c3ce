// SPDX-License-Identifier: Apache-2.0
// The formatter: a program's text in, its one canonical form out. The output follows from the tokens, the front end's
// tree, and the comments. Blanks and line ends do not matter, except empty lines beside comments. There are no
// options. See docs/language.md, "Formatter".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"

namespace komuz::services {

struct Formatted {
  bool ok = false;                      // false: there are errors of syntax
  std::string text;                     // empty if not ok
  std::vector<Diagnostic> diagnostics;  // of the source, if not ok
};

// Errors of names and types, and unsupported parts of the language, do not prevent formatting. Modules that the compiler
// knows make no difference.
[[nodiscard]] Formatted format(frontend::Compiler& compiler, std::string_view source);

}  // namespace komuz::services
