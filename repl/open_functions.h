// SPDX-License-Identifier: Apache-2.0
// A harness in a session. What it leaves open, `pub fn brake(v: f64) -> f64;`, is a function with a hole as its body
// until an input defines it.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"

namespace komuz::repl {

struct OpenedProgram {
  std::string text;               // with the same lines
  std::vector<std::string> open;  // "brake(v: f64) -> f64"
};
// `is_defined`: has an input defined it? Then it is not open, and goes from the text.
[[nodiscard]] OpenedProgram open_program(
    frontend::Compiler& compiler, std::string_view program,
    const std::function<bool(std::string_view name)>& is_defined);
// Is it a function that open_program() has made?
[[nodiscard]] bool is_open_function(std::string_view definition);

}  // namespace komuz::repl
