// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/styles.h"

namespace komuz::editor {

// The 8 colours of every terminal, which its owner chose to be readable on the background.
std::string_view start_of(Style style, bool colors) {
  switch (style) {
    case Style::Plain: return "\x1b[m";
    case Style::Prompt: return "\x1b[0;1m";
    case Style::Keyword: return colors ? "\x1b[0;35m" : "\x1b[m";
    case Style::Type: return colors ? "\x1b[0;36m" : "\x1b[m";
    case Style::Function: return colors ? "\x1b[0;34m" : "\x1b[m";
    case Style::Number: return colors ? "\x1b[0;33m" : "\x1b[m";
    case Style::String: return colors ? "\x1b[0;32m" : "\x1b[m";
    case Style::Comment: return colors ? "\x1b[0;90m" : "\x1b[m";
    case Style::Hole: return colors ? "\x1b[0;1;35m" : "\x1b[m";
    case Style::Command: return colors ? "\x1b[0;1;36m" : "\x1b[m";
    case Style::Escape: return colors ? "\x1b[0;7;33m" : "\x1b[0;7m";
    case Style::Marked: return colors ? "\x1b[0;4;31m" : "\x1b[0;4m";
    case Style::Found: return colors ? "\x1b[0;4;33m" : "\x1b[0;4m";
    case Style::Suggestion: return colors ? "\x1b[0;90m" : "\x1b[0;2m";
    case Style::Detail: return colors ? "\x1b[0;90m" : "\x1b[0;2m";
    case Style::Problem: return colors ? "\x1b[0;31m" : "\x1b[m";
    case Style::Selected: return "\x1b[0;7m";
  }
  return {};
}

}  // namespace komuz::editor
