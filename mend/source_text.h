// SPDX-License-Identifier: Apache-2.0
// Parts of a source: its words, the blanks around them, and the text between two places.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_word(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
[[nodiscard]] inline bool are_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}
[[nodiscard]] inline bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::ranges::all_of(text, is_word);
}
[[nodiscard]] inline bool is_among(std::string_view word,
                                   std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}
// The result lies in the text even if it is empty, so that its place in the source can be computed.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}
// Trims only the end, so that places in the text stay valid.
[[nodiscard]] inline std::string_view trimmed_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

// Empty behind the source's end.
[[nodiscard]] inline std::string_view source_at(std::string_view source, u32 begin, u32 length) {
  if (begin >= source.size()) return {};
  return source.substr(begin, length);
}
[[nodiscard]] inline std::string_view between(std::string_view source, u32 begin, u32 end) {
  return begin < end ? source_at(source, begin, end - begin) : std::string_view{};
}
// The letters, digits and `_` from a place on.
[[nodiscard]] inline std::string_view word_at(std::string_view source, u32 at) {
  u32 end = at;
  while (end < source.size() && is_word(source[end])) ++end;
  return between(source, at, end);
}
// The end of the text before a place, without blanks: where to insert behind an operand.
[[nodiscard]] inline u32 behind_previous(std::string_view source, u32 at) {
  while (at > 0 && (source[at - 1] == ' ' || source[at - 1] == '\t')) --at;
  return at;
}
// The end of the string or character that starts at a place, on its line; npos: there is none, or it is a label.
[[nodiscard]] inline size_t closing_quote(std::string_view source, size_t open) {
  constexpr size_t kLongestCharacter = 5;  // `'\x41'` without its first quote
  for (size_t k = open + 1; k < source.size() && source[k] != '\n'; ++k) {
    if (source[open] == '\'' && k - open > kLongestCharacter) break;
    const bool is_plain = source[open] == '"' || k == open + 2 || source[open + 1] == '\\';
    if (source[k] == '\\')
      ++k;
    else if (source[k] == source[open])
      return is_plain ? k : std::string_view::npos;
  }
  return std::string_view::npos;
}
// The same for a text of Python, which may have either quote, or three quotes and several lines; npos: it does not
// end.
[[nodiscard]] inline size_t closing_python_quote(std::string_view source, size_t open) {
  const std::string_view three = source.substr(open, 3);
  if (three == "\"\"\"" || three == "'''") {
    const size_t close = source.find(three, open + 3);
    return close == std::string_view::npos ? close : close + 2;
  }
  for (size_t k = open + 1; k < source.size() && source[k] != '\n'; ++k) {
    if (source[k] == source[open]) return k;
    if (source[k] == '\\') ++k;
  }
  return std::string_view::npos;
}
// How many bytes behind a bracket are searched for its mate: for an edit, and for questions that many errors may ask.
inline constexpr size_t kLongestBracketed = 1 << 20, kNearBracketed = 16'384;
// The greatest distance of a place from its line's start for looking at the text before it, since many errors may
// ask.
inline constexpr size_t kLongestLine = 2'048;
// The start of the text or character that ends at a place, on its line, in either language; npos: there is none, or
// its line starts too far away.
[[nodiscard]] inline size_t opening_quote(std::string_view source, size_t close) {
  const size_t near = close - std::min(close, kLongestLine);
  const size_t line = source.substr(near, close - near).rfind('\n');
  if (line == std::string_view::npos && near != 0) return line;
  for (size_t k = line == std::string_view::npos ? 0 : near + line + 1; k < close; ++k) {
    if (source[k] != '"' && source[k] != '\'') continue;
    size_t end = closing_quote(source, k);
    if (end == std::string_view::npos) end = closing_python_quote(source, k);
    if (end == close) return k;
    if (end != std::string_view::npos) k = end;
  }
  return std::string_view::npos;
}
[[nodiscard]] inline bool is_quote(char c) { return c == '"' || c == '\''; }
[[nodiscard]] inline bool closes_bracket(char c) { return c == ')' || c == ']' || c == '}'; }
// True if a place is behind the `//` of its line. False on longer lines.
[[nodiscard]] inline bool is_in_comment(std::string_view source, size_t at) {
  const size_t near = at - std::min(at, kLongestLine);
  const size_t line = source.substr(near, at - near).rfind('\n');
  if (line == std::string_view::npos && near != 0) return false;
  for (size_t k = line == std::string_view::npos ? 0 : near + line + 1; k < at; ++k) {
    if (source.substr(k, 2) == "//") return true;
    const size_t close = is_quote(source[k]) ? closing_quote(source, k) : std::string_view::npos;
    if (close != std::string_view::npos) k = close;
  }
  return false;
}
// The `{` of the block around a place; npos: there is none near.
[[nodiscard]] inline size_t opening_brace_around(std::string_view source, size_t at) {
  u32 depth = 0;
  const size_t near = at - std::min(at, kLongestLine);
  while (at > near) {
    const char c = source[--at];
    if ((c != '{' && c != '}' && !is_quote(c)) || is_in_comment(source, at)) continue;
    if (is_quote(c)) {
      at = opening_quote(source, at);
      if (at == std::string_view::npos) return at;
    } else if (c == '}') {
      ++depth;
    } else if (depth-- == 0) {
      return at;
    }
  }
  return std::string_view::npos;
}
// The mate of the opening bracket at a place, outside of strings; npos: none is near, or ends(byte) is true before
// it.
template <class Ends>
[[nodiscard]] size_t closing_bracket_before(std::string_view source, size_t open, Ends ends) {
  size_t depth = 0;
  source = source.substr(0, open + kLongestBracketed);
  for (size_t k = open; k < source.size() && !ends(k); ++k) {
    const char c = source[k];
    if (c == '"' || c == '\'') {
      k = closing_quote(source, k);
      if (k == std::string_view::npos) return k;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return k;
  }
  return std::string_view::npos;
}
// The mate on the same line.
[[nodiscard]] inline size_t closing_bracket(std::string_view source, size_t open) {
  return closing_bracket_before(source, open, [&](size_t k) { return source[k] == '\n'; });
}
// The mate on any line, but before a comment.
[[nodiscard]] inline size_t closing_bracket_of_lines(std::string_view source, size_t open) {
  return closing_bracket_before(source, open,
                                [&](size_t k) { return source.substr(k, 2) == "//"; });
}
// The bracket that closes those around a place; npos: there is none near, or a comment comes first.
[[nodiscard]] inline size_t closing_bracket_around(std::string_view source, size_t at,
                                                   size_t longest = kLongestBracketed) {
  source = source.substr(0, at + longest);
  for (size_t k = at; k < source.size(); ++k) {
    const char c = source[k];
    if (c == ')' || c == ']' || c == '}') return k;
    if (c == '"' || c == '\'') k = closing_quote(source, k);
    if (c == '(' || c == '[' || c == '{') k = closing_bracket_of_lines(source, k);
    if (k == std::string_view::npos || source.substr(k, 2) == "//") break;
  }
  return std::string_view::npos;
}
// The end of a call's parentheses, if its name ends at a place; npos: it is no call, or they do not close on its
// line.
[[nodiscard]] inline size_t end_of_call(std::string_view source, u32 name_end) {
  return source_at(source, name_end, 1) == "(" ? closing_bracket(source, name_end)
                                               : std::string_view::npos;
}
// The start of the operand that ends at a place: names, dots, calls and indices. Brackets touch what they belong to;
// around a dot there may be blanks and line ends.
[[nodiscard]] inline u32 operand_start(std::string_view source, u32 end) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto before = [source](u32 at) { return at == 0 ? '\0' : source[at - 1]; };
  u32 begin = end;
  for (;;) {
    while (before(begin) == ')' || before(begin) == ']') {
      u32 depth = 0, open = begin;
      do {
        --open;
        if (is_quote(source[open])) {
          const size_t quote = opening_quote(source, open);
          if (quote == std::string_view::npos) return begin;
          open = static_cast<u32>(quote);
        }
        depth += source[open] == ')' || source[open] == ']';
        depth -= source[open] == '(' || source[open] == '[';
      } while (depth != 0 && open > 0);
      if (depth != 0) return begin;
      begin = open;
    }
    while (is_word(before(begin))) --begin;
    const u32 dot = static_cast<u32>(source.substr(0, begin).find_last_not_of(kBlanks) + 1);
    if (before(dot) != '.' || before(dot - 1) == '.') return begin;
    begin = static_cast<u32>(source.substr(0, dot - 1).find_last_not_of(kBlanks) + 1);
  }
}
// The length of an operand such as `b`, `2` or `f(x).y[0]` at the start of a text; 0 if there is none.
[[nodiscard]] inline size_t operand_length(std::string_view text) {
  const bool is_group = text.starts_with('(');
  size_t k = 0;
  while (k < text.size() && is_word(text[k])) ++k;
  if (k == 0 && !is_group) return 0;
  while (k < text.size()) {
    if (text[k] == '(' || text[k] == '[') {
      const size_t close = closing_bracket(text, k);
      if (close == std::string_view::npos) return 0;
      k = close + 1;
    } else if (text[k] == '.' && k + 1 < text.size() && is_word(text[k + 1])) {
      ++k;
      while (k < text.size() && is_word(text[k])) ++k;
    } else {
      break;
    }
  }
  return k;
}
// How often a word occurs in a text, not counting fields of that name.
[[nodiscard]] inline u32 count_word(std::string_view text, std::string_view word) {
  u32 count = 0;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool starts = at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.');
    count += starts && (end == text.size() || !is_word(text[end]));
  }
  return count;
}
[[nodiscard]] inline bool has_word(std::string_view text, std::string_view word) {
  return count_word(text, word) != 0;
}
// The first place of `mark` outside of brackets and strings, from `at` on.
[[nodiscard]] inline size_t find_outside(std::string_view text, std::string_view mark,
                                         size_t at = 0) {
  u32 depth = 0;
  char quote = 0;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != 0) {
      if (c == '\\') ++k;
      if (c == quote) quote = 0;
      continue;
    }
    if (k >= at && depth == 0 && text.substr(k).starts_with(mark)) return k;
    if (c == '"' || c == '\'') quote = c;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
  }
  return std::string_view::npos;
}
// The parts between commas outside of brackets. Nothing if a part is empty.
[[nodiscard]] inline std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0, depth = 0;
  for (size_t k = 0; k <= text.size(); ++k) {
    const char c = k < text.size() ? text[k] : ',';
    if (c == '(' || c == '[' || c == '{') ++depth;
    const bool closes = c == ')' || c == ']' || c == '}';
    if (c == '"' || c == '\'') {
      k = closing_quote(text, k);
      if (k == std::string_view::npos) return {};
    }
    if (closes && depth == 0) return {};
    if (closes) --depth;
    if (c != ',' || depth != 0) continue;
    parts.push_back(trimmed(text.substr(begin, k - begin)));
    if (parts.back().empty()) return {};
    begin = k + 1;
  }
  return parts;
}
[[nodiscard]] inline bool is_same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char x) { return x >= 'A' && x <= 'Z' ? static_cast<char>(x + 32) : x; };
  return std::ranges::equal(a, b, {}, lower, lower);
}
// True if a word follows byte `at`, apart from blanks.
[[nodiscard]] inline bool stands_before_word(std::string_view source, u32 at) {
  const size_t next = source.find_first_not_of(" \t", at);
  return next != std::string_view::npos && next != at && is_word(source[next]);
}

// The beginning of the next token, or the source's end.
[[nodiscard]] inline u32 behind_gap(std::string_view source, u32 at) {
  while (at < source.size()) {
    if (source.substr(at, 2) == "//")
      at = static_cast<u32>(std::min(source.find('\n', at), source.size()));
    else if (std::string_view(" \t\r\n").find(source[at]) != std::string_view::npos)
      ++at;
    else
      break;
  }
  return at;
}

}  // namespace komuz
