// SPDX-License-Identifier: Apache-2.0
// A harness in a session. An open function, `pub fn brake(v: f64) -> f64;`, becomes a function with a hole as its
// body until an input defines it.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"

namespace komuz::repl {

struct OpenedProgram {
  std::string text;               // with the same line numbers
  std::vector<std::string> open;  // "brake(v: f64) -> f64"
};
// `is_defined`: true if an input has defined the function. It is then not open, and is removed from the text.
[[nodiscard]] OpenedProgram open_program(
    frontend::Compiler& compiler, std::string_view program,
    const std::function<bool(std::string_view name)>& is_defined);
// True for a function made by open_program().
[[nodiscard]] bool is_open_function(std::string_view definition);

}  // namespace komuz::repl
