// SPDX-License-Identifier: Apache-2.0
// Code without loops and calls as source text: what a window of a program computes, for people to read.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "lang/code.h"

namespace komuz::services {

// The text of a function of one function's code that neural/windows/windows.h calls a lone one, in canonical form:
//   fn window(a: u8, b: u8) -> u8 { min(a, b) }
// `names`: of its slots; slots without one, or with the name of another, are called v2 by their number. None if an
// operation has no spelling of its own.
[[nodiscard]] std::optional<std::string> source_of_code(const CodeView& lone,
                                                        std::span<const std::string> names);
// The same without head and braces, each line behind `margin`.
[[nodiscard]] std::optional<std::string> body_of_code(const CodeView& lone,
                                                      std::span<const std::string> names,
                                                      std::string_view margin);

}  // namespace komuz::services
