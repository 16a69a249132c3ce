// SPDX-License-Identifier: Apache-2.0
#include "repl/input.h"

#include <algorithm>
#include <charconv>

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

std::optional<std::string> take_quoted_word(std::string_view& text) {
  if (!text.starts_with('"')) return std::string(take_word(text));
  std::string word;
  for (size_t at = 1; at < text.size(); ++at) {
    const bool is_quote = text[at] == '"', is_doubled = text.substr(at).starts_with("\"\"");
    if (is_quote && !is_doubled) {
      text = trimmed(text.substr(at + 1));
      if (word.empty()) return std::nullopt;
      return word;
    }
    word += text[at];
    at += is_doubled ? 1 : 0;
  }
  return std::nullopt;
}
// A text that begins with a parenthesis would be types, and one with dashes an option.
std::string quoted_word(std::string_view word) {
  if (word.find_first_of(" \t\r\n\"") == std::string_view::npos && !word.starts_with('(') &&
      !word.starts_with("--"))
    return std::string(word);
  std::string out = "\"";
  for (const char c : word) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::optional<u64> read_ticks(std::string_view text) {
  constexpr u64 kMost = u64{1} << 62;
  std::string digits(text);
  std::erase_if(digits, [](char c) { return c == ',' || c == '_'; });
  u64 ticks = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, ticks);
  if (read.ec != std::errc() || read.ptr != end || ticks == 0 || ticks > kMost) return std::nullopt;
  return ticks;
}

}  // namespace komuz::repl
