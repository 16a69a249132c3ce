// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_updates.h"

#include <string>

#include "mend/source_text.h"
#include "mend/type_edits.h"

namespace komuz {
namespace {

// Where the statement ends that goes on at a place: before its `;`, its line's end or the bracket around it; npos: it holds a
// block, or a comment.
size_t statement_end(std::string_view source, size_t at) {
  for (size_t k = at; k < source.size(); ++k) {
    const char c = source[k];
    if (c == ';' || c == '\n' || c == ')' || c == ']' || c == '}' || c == ',') return k;
    if (c == '{' || c == '#' || source.substr(k, 2) == "//") break;
    if (c == '(' || c == '[') k = closing_bracket(source, k);
    if (c == '"' || c == '\'') k = closing_quote(source, k);
    if (k == std::string_view::npos) return k;
  }
  return std::string_view::npos;
}
bool ends_operand(std::string_view text) {
  return !text.empty() && (is_word(text.back()) || text.back() == ')' || text.back() == ']');
}
// Does an operator that binds as tightly as a quotient, or more, take the operand that stands behind a text?
bool binds_next(std::string_view before) {
  before = trimmed_end(before);
  if (before.empty()) return false;
  const char c = before.back();
  if (c == '-') return !ends_operand(trimmed_end(before.substr(0, before.size() - 1)));
  return std::string_view("*/%!~&").find(c) != std::string_view::npos && !before.ends_with("&&");
}

}  // namespace

std::optional<Edit> update_edit(u32 begin, u32 end, std::string_view source) {
  const std::string_view given = between(source, begin, end - 1);
  const std::string sign(given == "^" ? "**" : given);
  const u32 stop = behind_previous(source, begin), first = operand_start(source, stop);
  const std::string place(between(source, first, stop));
  const size_t last = statement_end(source, end);
  if (!is_place(place) || last == std::string_view::npos) return std::nullopt;
  const std::string_view value = trimmed(between(source, end, static_cast<u32>(last)));
  if (value.empty()) return std::nullopt;
  const bool is_whole = sign == "**"   ? operand_length(value) == value.size()
                        : sign == "&&" ? find_outside(value, "||") == std::string_view::npos
                                       : true;
  return Edit{first, behind_previous(source, static_cast<u32>(last)),
              place + " = " + place + " " + sign + " " +
                  (is_whole ? std::string(value) : "(" + std::string(value) + ")")};
}

std::optional<Edit> quotient_edit(u32 mark, std::string_view source) {
  const u32 stop = behind_previous(source, mark), first = operand_start(source, stop);
  const std::string left(between(source, first, stop));
  if (source_at(source, mark, 3) == "//=") {
    const size_t last = statement_end(source, mark + 3);
    if (!is_place(left) || last == std::string_view::npos) return std::nullopt;
    const std::string right(trimmed(between(source, mark + 3, static_cast<u32>(last))));
    if (right.empty()) return std::nullopt;
    return Edit{first, behind_previous(source, static_cast<u32>(last)),
                left + " = div_floor(" + left + ", " + right + ")"};
  }
  const size_t blanks = source.find_first_not_of(" \t", mark + 2);
  if (left.empty() || blanks == std::string_view::npos || binds_next(source.substr(0, first)))
    return std::nullopt;
  const std::string_view rest = source.substr(blanks);
  const size_t length = operand_length(rest.substr(0, rest.find('\n')));
  if (length == 0 || trimmed(rest.substr(length)).starts_with("**")) return std::nullopt;
  return Edit{first, static_cast<u32>(blanks + length),
              "div_floor(" + left + ", " + std::string(rest.substr(0, length)) + ")"};
}

}  // namespace komuz
