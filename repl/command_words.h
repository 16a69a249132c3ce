// SPDX-License-Identifier: Apache-2.0
// What commands share: the words behind them, and what they say.
#pragma once
#include <charconv>
#include <span>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "repl/answer.h"
#include "repl/input.h"

namespace komuz::repl {

// The whole text is one.
template <class Number>
[[nodiscard]] bool read_number(std::string_view text, Number& out) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  return read.ec == std::errc() && read.ptr == end;
}
// "exact, squared or maximize"
[[nodiscard]] std::string names_text(std::span<const std::string_view> names);
// As the formatter writes it, or as it is.
[[nodiscard]] std::string formatted(const std::string& program);
// Of cases that were to be looked at.
[[nodiscard]] Answer unread(const Input& words, const Problem& error);

}  // namespace komuz::repl
