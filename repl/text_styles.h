// SPDX-License-Identifier: Apache-2.0
// Maps the lexer's classes to styles of the screen, for typed inputs and for values that are shown.
#pragma once
#include <string>
#include <string_view>

#include "repl/editor/styles.h"
#include "services/highlight.h"

namespace komuz::repl {

[[nodiscard]] editor::Style style_of(services::TextKind kind);

// The text with escape sequences for its tokens' colours, for a terminal with colours.
[[nodiscard]] std::string colored(frontend::Compiler& lexer, std::string_view text);

}  // namespace komuz::repl
