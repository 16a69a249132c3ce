// SPDX-License-Identifier: Apache-2.0
// What a person or a program gives a session at once.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::repl {

struct Input {
  std::string_view text;
  std::string_view name;  // of the file that it is in
  u32 line = 1;           // of its first line there
  // What candidates define is a hole: tests that come to one are not run.
  bool is_harness = false;
};

// Without blanks and line ends around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);
// Is it a name that a program may give to something?
[[nodiscard]] bool is_program_name(std::string_view text);
// Such a name for what is called otherwise: what is no letter, digit or `_` becomes `_`, those that stand together one of them.
[[nodiscard]] std::string usable_name(std::string_view text);
// Takes the first word, and the blanks behind it.
[[nodiscard]] std::string_view take_word(std::string_view& text);
// The same of a word that stands in double quotes where it has blanks, a quote in it twice. None: they do not end, or
// nothing stands in them.
[[nodiscard]] std::optional<std::string> take_quoted_word(std::string_view& text);
// As take_quoted_word() takes it.
[[nodiscard]] std::string quoted_word(std::string_view word);
// A number from 1 to 2^62, with `,` and `_` as one likes.
[[nodiscard]] std::optional<u64> read_ticks(std::string_view text);

}  // namespace komuz::repl
