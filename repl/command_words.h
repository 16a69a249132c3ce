// SPDX-License-Identifier: Apache-2.0
// The common part of commands: the words behind them, and their messages.
#pragma once
#include <charconv>
#include <span>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "repl/answer.h"
#include "repl/input.h"

namespace komuz::repl {

// The whole text must be a number.
template <class Number>
[[nodiscard]] bool read_number(std::string_view text, Number& out) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  return read.ec == std::errc() && read.ptr == end;
}
// "exact, squared or maximize"
[[nodiscard]] std::string names_text(std::span<const std::string_view> names);
// Formatted by the formatter if possible, else unchanged.
[[nodiscard]] std::string formatted(const std::string& program);
// For cases that could not be read.
[[nodiscard]] Answer unread(const Input& words, const Problem& error);

}  // namespace komuz::repl
