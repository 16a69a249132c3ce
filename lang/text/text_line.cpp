// SPDX-License-Identifier: Apache-2.0
#include "lang/text/text_line.h"

#include <charconv>

namespace komuz {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::optional<u64> parse(std::string_view digits, int base) {
  u64 value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

void TextLine::skip_blanks() {
  while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\r'))
    rest_.remove_prefix(1);
}

bool TextLine::at_end() {
  skip_blanks();
  return rest_.empty() || rest_[0] == ';';
}

bool TextLine::next_is(std::string_view mark) {
  skip_blanks();
  return rest_.starts_with(mark);
}

bool TextLine::take(std::string_view mark) {
  if (!next_is(mark)) return false;
  rest_.remove_prefix(mark.size());
  return true;
}

std::string_view TextLine::word() {
  skip_blanks();
  size_t length = 0;
  while (length < rest_.size() && is_word(rest_[length])) ++length;
  const std::string_view word = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return word;
}

std::optional<u64> TextLine::number(u64 most) {
  const std::string_view digits = word();
  const bool hexadecimal = digits.substr(0, 2) == "0x";
  const std::optional<u64> value = hexadecimal ? parse(digits.substr(2), 16) : parse(digits, 10);
  return value && *value <= most ? value : std::nullopt;
}

std::optional<std::string> TextLine::name() {
  skip_blanks();
  if (!rest_.empty() && rest_[0] == '"') return quoted();
  if (rest_.empty() || is_digit(rest_[0])) return std::nullopt;
  const std::string_view name = word();
  return name.empty() ? std::nullopt : std::optional<std::string>(name);
}

std::optional<std::string> TextLine::quoted() {
  std::string text;
  for (size_t at = 1; at < rest_.size();) {
    if (rest_[at] == '"') {
      rest_.remove_prefix(at + 1);
      return text;
    }
    if (rest_[at] != '\\') {
      text += rest_[at++];
      continue;
    }
    const std::string_view escape = rest_.substr(at, 4);
    const std::optional<u64> byte =
        escape.size() == 4 && escape[1] == 'x' ? parse(escape.substr(2), 16) : std::nullopt;
    if (!byte) return std::nullopt;
    text += static_cast<char>(*byte);
    at += 4;
  }
  return std::nullopt;
}

}  // namespace komuz
