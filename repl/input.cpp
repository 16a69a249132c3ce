// SPDX-License-Identifier: Apache-2.0
#include "repl/input.h"

#include <algorithm>
#include <charconv>

#include "engine/cases/signature.h"
#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "mend/source_text.h"

namespace komuz::repl {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

bool is_program_name(std::string_view text) {
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(text));
  const frontend::Columns& c = lexer.columns();
  return c.tokens == 1 && frontend::token_at(c, i64{0}) == Token::Name && c.token_start[0] == 0 &&
         c.token_length[0] == text.size() &&
         !engine::read_signature("fn(" + std::string(text) + ": bool) -> ()").problem();
}

std::string usable_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const char next = is_word(c) ? c : '_';
    if (next != '_' || (!name.empty() && name.back() != '_')) name += next;
  }
  while (name.ends_with('_')) name.pop_back();
  if (name.empty()) name = "column";
  if (!is_program_name(name))
    name = is_program_name("x" + name) && !is_program_name(name + "_") ? "x" + name : name + "_";
  return name;
}

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
// A text that begins with a parenthesis would be types.
std::string quoted_word(std::string_view word) {
  if (word.find_first_of(" \t\r\n\"") == std::string_view::npos && !word.starts_with('('))
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
