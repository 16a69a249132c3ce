// SPDX-License-Identifier: Apache-2.0
// How far a line is indented while somebody writes it, as the formatter has it where the text is whole: four blanks
// more than the line that opened the bracket around it, as much as that line where it closes the bracket, four more
// where it goes on with a statement.
#pragma once
#include <optional>
#include <string_view>

#include "base/ints.h"

namespace komuz::services {

struct LineIndentation {
  u32 begin = 0, end = 0;  // the blanks before what stands on the line, bytes of the text
  u32 blanks = 0;          // how many there should be
};
// For the line of a byte. Nothing: the text is not UTF-8, or the line is a comment's.
[[nodiscard]] std::optional<LineIndentation> indentation_at(std::string_view text, u32 place);

}  // namespace komuz::services
