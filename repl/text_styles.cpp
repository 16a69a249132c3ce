// SPDX-License-Identifier: Apache-2.0
#include "repl/text_styles.h"

namespace komuz::repl {

using editor::Style;
using services::TextKind;

Style style_of(TextKind kind) {
  switch (kind) {
    case TextKind::Keyword: return Style::Keyword;
    case TextKind::Type: return Style::Type;
    case TextKind::Function: return Style::Function;
    case TextKind::Number: return Style::Number;
    case TextKind::String: return Style::String;
    case TextKind::Comment: return Style::Comment;
    case TextKind::Hole: return Style::Hole;
  }
  return Style::Plain;
}

std::string colored(frontend::Compiler& lexer, std::string_view text) {
  // Colours do not help in longer texts, and the whole text would be compiled.
  constexpr size_t kMostColored = size_t{1} << 16;
  if (text.size() > kMostColored) return std::string(text);
  std::string out;
  size_t at = 0;
  for (const services::Stretch& stretch : services::highlight(lexer, text)) {
    out += text.substr(at, stretch.begin - at);
    out += editor::start_of(style_of(stretch.kind), true);
    out += text.substr(stretch.begin, stretch.end - stretch.begin);
    out += editor::start_of(Style::Plain, true);
    at = stretch.end;
  }
  return out += text.substr(at);
}

}  // namespace komuz::repl
