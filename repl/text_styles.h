// SPDX-License-Identifier: Apache-2.0
// What the lexer says of a text as styles of the screen: of inputs that are typed, and of values that are shown.
#pragma once
#include <string>
#include <string_view>

#include "repl/editor/styles.h"
#include "services/highlight.h"

namespace komuz::repl {

[[nodiscard]] editor::Style style_of(services::TextKind kind);

// The text with the escape sequences of its tokens' colours, for a terminal that has them.
[[nodiscard]] std::string colored(frontend::Compiler& lexer, std::string_view text);

}  // namespace komuz::repl
