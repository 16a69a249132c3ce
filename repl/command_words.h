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

// What `:fill`, `:keep` and `:export` answer where somebody asks for `--optimise`.
inline constexpr std::string_view kNoOptimise =
    "cheaper code is bytecode, and no text that a session could write: `:export best.komuz`, and "
    "then `komuz optimise best.komuz -o best.kbc`";
[[nodiscard]] inline bool names_optimise(std::string_view words) {
  return words.find("--optimise") != std::string_view::npos;
}

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
