// SPDX-License-Identifier: Apache-2.0
// One program from a file, ready to run: compiled from source, or read from bytecode and checked.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal.h"
#include "lang/code.h"
#include "lang/diagnostics.h"
#include "services/render.h"

namespace komuz::cli {

struct Program {
  std::string path;
  std::string source;
  Code code;  // checked; empty if there are errors
  std::vector<Diagnostic> diagnostics;
  bool ok = false;
  bool is_code = false;  // read from bytecode or assembly: there is no source

  [[nodiscard]] services::NamedSource named_source() const { return {path, source}; }
};

// Success: the file could be read, and `out` says what came of it. A `.kbc` that the checker refuses is Failure, with
// the reason on standard error.
[[nodiscard]] Exit load_program(const std::string& path, Terminal& terminal, Program& out);

// The same for commands that need a program without errors: what the diagnostics say goes to standard error.
[[nodiscard]] Exit load_correct_program(const std::string& path, Terminal& terminal, Program& out);

}  // namespace komuz::cli
