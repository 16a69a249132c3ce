// SPDX-License-Identifier: Apache-2.0
#include "mend/indented_block.h"

#include <algorithm>

#include "mend/habits/from_updates.h"
#include "mend/source_text.h"

namespace komuz {
namespace {

constexpr std::string_view kBlanks = " \t\r";

size_t line_end(std::string_view source, size_t at) {
  return std::min(source.find('\n', at), source.size());
}
size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(kBlanks), line.size());
}

// The end of a block on its line: before a bracket that it does not open, a comment, or the line's end.
size_t block_end(std::string_view line) {
  u32 depth = 0;
  for (size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (is_quote(c)) {
      const size_t close = closing_python_quote(line, k);
      if (close != std::string_view::npos) k = close;
      continue;
    }
    if (c == '#' || (line.substr(k).starts_with("//") && !is_quotient(line, k))) return k;
    if (line.substr(k).starts_with("//")) ++k;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth-- == 0) return k;
  }
  return line.size();
}

// ` 1 elif c: 2 else: 3` behind the first colon, to ` { 1 } else if c { 2 } else { 3 }`; `length`: the length of the
// replaced text. Empty if there is no `else:`.
std::string choice_of_line(std::string_view rest, size_t& length) {
  const std::string_view all = rest;
  std::string text;
  while (true) {
    const size_t last = find_outside(rest, " else:");
    if (last == std::string_view::npos) return "";
    const size_t next =
        std::min({last, find_outside(rest, " elif "), find_outside(rest, " else if ")});
    const auto put = [&text](std::string_view block) {
      block = trimmed(block);
      const bool has_braces = block.starts_with('{') && block.ends_with('}');
      text += has_braces ? " " + std::string(block) : " { " + std::string(block) + " }";
      return !block.empty();
    };
    if (!put(rest.substr(0, next))) return "";
    if (next == last) {
      rest.remove_prefix(last + 6);
      const std::string_view block = rest.substr(0, find_outside(rest, ";"));
      text += " else";
      length = static_cast<size_t>(block.data() - all.data()) + block.find_last_not_of(kBlanks) + 1;
      return put(block) ? text : "";
    }
    rest.remove_prefix(next + (rest.substr(next).starts_with(" elif ") ? 6 : 9));
    const size_t colon = find_outside(rest, ":");
    if (colon == std::string_view::npos) return "";
    text += " else if " + std::string(trimmed(rest.substr(0, colon)));
    rest.remove_prefix(colon + 1);
  }
}

// `return 1 if x > 0 else y` to `return if x > 0 { 1 } else { y }`; empty if it is something else.
std::string returned_choice(std::string_view block) {
  constexpr std::string_view kReturn = "return ", kIf = " if ", kElse = " else ";
  if (!block.starts_with(kReturn)) return "";
  std::string_view rest = trimmed(block.substr(kReturn.size()));
  std::string text(kReturn);
  for (;;) {
    const size_t first = find_outside(rest, kIf), second = find_outside(rest, kElse, first);
    if (first == std::string_view::npos || second == std::string_view::npos) break;
    text += "if " +
            std::string(trimmed(rest.substr(first + kIf.size(), second - first - kIf.size()))) +
            " { " + std::string(trimmed(rest.substr(0, first))) + " } else ";
    rest = trimmed(rest.substr(second + kElse.size()));
    if (find_outside(rest, kIf) == std::string_view::npos)
      return text + "{ " + std::string(rest) + " }";
  }
  return "";
}

}  // namespace

std::optional<Edit> put_into_braces(std::string_view source, u32 colon) {
  const size_t begin = source.rfind('\n', colon) + 1;  // behind none: 0
  const size_t end = line_end(source, colon);
  const std::string_view rest = source.substr(colon + 1, end - colon - 1);
  const std::string_view part = rest.substr(0, block_end(rest));
  const std::optional<std::string> mended = quotients_of_python(part, source);
  if (!mended) return std::nullopt;
  const std::string_view own = *mended;
  if (const size_t first = own.find_first_not_of(kBlanks); first != std::string_view::npos) {
    const std::string_view block = own.substr(first, own.find_last_not_of(kBlanks) + 1 - first);
    const auto stop = static_cast<u32>(colon + 1 + part.find_last_not_of(kBlanks) + 1);
    size_t length = 0;
    if (const std::string choice = choice_of_line(own, length); !choice.empty()) {
      if (own == part) return Edit{colon, static_cast<u32>(colon + 1 + length), choice};
      return length == first + block.size() ? std::optional(Edit{colon, stop, choice})
                                            : std::nullopt;
    }
    if (const std::string choice = returned_choice(block); !choice.empty())
      return Edit{colon, stop, " { " + choice + " }"};
    if (find_outside(block, " else") != std::string_view::npos) return std::nullopt;
    // It is unclear which of the statements belong to the block.
    const bool ends_outer = part.size() < rest.size() && rest[part.size()] == '}';
    if (ends_outer && block.find(';') + 1 < block.size() &&
        block.find(';') != std::string_view::npos)
      return std::nullopt;
    return Edit{colon, stop, " { " + std::string(block) + " }"};
  }
  const size_t indent = indent_of(source.substr(begin, end - begin));
  size_t last = 0;  // behind the last line of the block
  for (size_t at = end + 1; at < source.size();) {
    const size_t stop = line_end(source, at);
    const std::string_view line = source.substr(at, stop - at);
    const size_t own_indent = indent_of(line);
    // Comments of Python and empty lines end no block.
    const std::string_view code = line.substr(own_indent);
    if (!code.empty() && !code.starts_with('#')) {
      if (own_indent <= indent) break;
      last = stop;
    }
    at = stop + 1;
  }
  if (last == 0) return std::nullopt;
  const std::optional<std::string> block =
      quotients_of_python(source.substr(colon + 1, last - colon - 1), source);
  if (!block) return std::nullopt;
  return Edit{colon, static_cast<u32>(last),
              " {" + *block + "\n" + std::string(source.substr(begin, indent)) + "}"};
}

}  // namespace komuz
