// SPDX-License-Identifier: Apache-2.0
#include "repl/input.h"

#include <algorithm>

namespace komuz::repl {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text = trimmed(text.substr(word.size()));
  return word;
}

}  // namespace komuz::repl
