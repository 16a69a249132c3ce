// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_literals.h"

#include <algorithm>

#include "frontend_gpu/tree/tree.h"
#include "mend/aliases.h"
#include "mend/habits/from_text.h"
#include "mend/name_edits.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

// True for a comma between digits and exactly three digits, with nothing between them.
bool joins_digits(const Columns& c, i64 comma) {
  if (text_of(c, comma) != "," || !touches_next(c, comma - 1) || !touches_next(c, comma))
    return false;
  const std::string_view group = text_of(c, comma + 1);
  const std::string_view whole = group.substr(0, group.find('.'));
  return are_digits(text_of(c, comma - 1)) && whole.size() == 3 && are_digits(whole);
}

// True for `1_000`, and for `_000` behind a point.
bool is_whole_number(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_not_of("0123456789_") == std::string_view::npos;
}

// True for `5i64`, `5_u8`.
bool ends_with_type(std::string_view number) {
  const auto has_last = [number](size_t count) {
    return number.size() > count && is_scalar_name(number.substr(number.size() - count));
  };
  return has_last(3) || has_last(2);
}

// True if the program has a name near a token that is not the name of a function.
bool has_name_near(const Columns& c, Index t, std::string_view name) {
  if (is_among(name, {"PI", "TAU"})) return true;
  const Index first = t < kLongestBrackets ? 0 : t - kLongestBrackets;
  for (Index k = first; k < c.tokens && k < t + kLongestBrackets; ++k)
    if (token_at(c, k) == Token::Name && text_of(c, k) == name &&
        token_at(c, i64{k} + 1) != Token::LParen)
      return true;
  return false;
}

}  // namespace

bool refine_digits(const Columns& c, Index comma, Diagnostic& row) {
  if (!joins_digits(c, comma)) return false;
  i64 first = i64{comma} - 1, last = i64{comma} + 1;
  while (joins_digits(c, first - 1)) first -= 2;
  while (joins_digits(c, last + 1)) last += 2;
  // Behind a zero the comma more likely stands for the point of a float.
  const std::string_view leading = text_of(c, first);
  if (leading.size() > 3 || leading[0] == '0') return false;
  become(row, DiagnosticCode::GroupedDigits, 0, 0);
  move_to(c, row, static_cast<Index>(first), static_cast<Index>(last));
  return true;
}

bool refine_point(const Columns& c, Index dot, Diagnostic& row) {
  if (token_at(c, dot) != Token::Dot) return false;
  const bool is_end = row.code() == DiagnosticCode::GridEnd;
  const bool lacks_right = is_end || row.code() == DiagnosticCode::MissingRight;
  const bool lacks_left = is_end || row.code() == DiagnosticCode::MissingLeft;
  const bool behind = lacks_right && touches_next(c, i64{dot} - 1) &&
                      are_digits(text_of(c, i64{dot} - 1)) &&
                      token_at(c, i64{dot} - 2) != Token::Dot;  // not a tuple's field
  const std::string_view next = text_of(c, i64{dot} + 1);
  const bool before =
      lacks_left && touches_next(c, dot) && are_digits(next.substr(0, next.find_first_of("eE")));
  if (!behind && !before) return false;
  become(row, DiagnosticCode::FloatPoint, 0, 0);
  move_to(c, row, behind ? dot - 1 : dot, behind ? dot : dot + 1);
  return true;
}

bool refine_float_field(const Columns& c, Index dot, Diagnostic& row) {
  const i64 number = i64{dot} - 1;
  Index last = dot + 1;
  if (token_at(c, dot) != Token::Dot || !touches_next(c, number) || !touches_next(c, dot) ||
      token_at(c, number - 1) == Token::Dot || !is_whole_number(text_of(c, number)))
    return false;
  const std::string_view behind = text_of(c, last), sign = text_of(c, i64{last} + 1);
  const std::string_view digits = behind.substr(std::min<size_t>(1, behind.size()));
  const bool is_exponent = !behind.empty() && is_among(behind.substr(0, 1), {"e", "E", "d", "D"});
  if (is_exponent && digits.empty() && (sign == "+" || sign == "-") && touches_next(c, last) &&
      touches_next(c, last + 1) && are_digits(text_of(c, i64{last} + 2)))
    last += 2;  // `1.e+05`
  else if (!(is_exponent && (digits.empty() || are_digits(digits))) &&
           !is_among(behind, {"f", "F", "l", "L", "f32", "f64"}) &&
           !(behind.starts_with('_') && is_whole_number(behind)))
    return false;
  become(row, DiagnosticCode::FloatPoint, 0, 0);
  move_to(c, row, static_cast<Index>(number), last);
  return true;
}

void refine_suffix(const Columns& c, Index t, Diagnostic& row) {
  const std::string_view text = text_of(c, t);
  const size_t digits = std::min(text.find_first_not_of("0123456789_."), text.size());
  const std::string_view name = text.substr(digits);
  // `2x`. A single `f`, `d`, `l` or `u` is a suffix, whatever names the program has.
  const bool is_product = is_name(name) && text.substr(0, digits) != "0" && !is_scalar_name(name) &&
                          !is_among(name, {"f", "d", "l", "u"}) && has_name_near(c, t, name);
  if (is_product)
    return become(row, DiagnosticCode::BadNumber, 0, c.token_start[t] + static_cast<u32>(digits));
  const bool has_type = row.code() == DiagnosticCode::NumberSuffix && ends_with_type(text);
  const bool is_suffix = has_type || !number_before_suffix(text).empty();
  become(row, is_suffix ? DiagnosticCode::NumberSuffix : DiagnosticCode::BadNumber, 0, 0);
}

bool refine_string_prefix(const Columns& c, Index t, Diagnostic& row) {
  const Token token = token_at(c, t);
  if ((token != Token::String && token != Token::Char) || !touches_next(c, i64{t} - 1))
    return false;
  const std::string_view prefix = text_of(c, i64{t} - 1);
  const bool is_prefix = !prefix.empty() && prefix.size() <= 2 &&
                         prefix.find_first_not_of("bBfFrRuUL") == std::string_view::npos;
  if (!is_prefix) return false;
  become(row, DiagnosticCode::StringPrefix, 0, 0);
  move_to(c, row, t - 1, t);
  return true;
}

void refine_long_character(const Columns& c, Index node, Diagnostic& row) {
  const Index above = parent_of(c, node), t = c.token[node];
  const Node around = above == kNone ? Node::None : node_kind(c, above);
  const bool is_compared = around == Node::Eq || around == Node::Ne || around == Node::Lt ||
                           around == Node::Le || around == Node::Gt || around == Node::Ge;
  // If the other side is a byte, nothing is said about the operator.
  if (is_compared && c.error[above] == 0) row.a = row.b = kNoEdit;
  const Token behind = token_at(c, i64{t} + 1);
  const bool is_pattern = behind == Token::FatArrow || behind == Token::Pipe;
  if (is_pattern) row.b = kNoEdit;
}

bool refine_float_word(const Columns& c, Index t, Diagnostic& row) {
  const u32 begin = c.token_start[t];
  if (text_of(c, i64{t} + 1) != "(" || text_of(c, i64{t} + 3) != ")") return false;
  const u32 end = end_of(c, t + 3);
  if (find_alias({reinterpret_cast<const char*>(c.source + begin), end - begin}) == nullptr)
    return false;
  become(row, DiagnosticCode::UnknownName, 0, 0);
  span(row, begin, end);
  return true;
}

}  // namespace komuz::frontend
