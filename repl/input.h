// SPDX-License-Identifier: Apache-2.0
// A person's or a program's single input to a session.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::repl {

struct Input {
  std::string_view text;
  std::string_view name;  // of its file
  u32 line = 1;           // of its first line there
  // Functions left to candidates are holes: tests that reach one are not run.
  bool is_harness = false;
};

// Removes blanks and line ends around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);
// Takes the first word, and the blanks behind it.
[[nodiscard]] std::string_view take_word(std::string_view& text);
// The same for a word in double quotes, if it has blanks; a quote in it is doubled. None: the quotes are unclosed or
// empty.
[[nodiscard]] std::optional<std::string> take_quoted_word(std::string_view& text);
// The form that take_quoted_word() reads.
[[nodiscard]] std::string quoted_word(std::string_view word);
// A number from 1 to 2^62, with `,` and `_` anywhere.
[[nodiscard]] std::optional<u64> read_ticks(std::string_view text);

}  // namespace komuz::repl
