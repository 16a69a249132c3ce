// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_signs.h"

#include "frontend_gpu/findings/habits/refine_lambdas.h"
#include "frontend_gpu/findings/habits/refine_patterns.h"
#include "frontend_gpu/text/byte_masks.h"
#include "mend/aliases.h"
#include "mend/odd_characters.h"

namespace komuz::frontend {

namespace {

bool is_beyond_ascii(std::string_view word) {
  return !word.empty() && static_cast<u8>(word[0]) >= 0x80;
}

// "x `mod` y". Takes one of the two signs.
bool refine_infix(const Columns& c, Index t, Diagnostic& row) {
  for (const i64 first : {i64{t}, i64{t} - 2}) {
    const Index last = static_cast<Index>(first + 2);
    if (first < 1 || text_of(c, first) != "`" || text_of(c, last) != "`" ||
        token_at(c, first + 1) != Token::Name || is_first_on_line(c, last) ||
        is_first_on_line(c, static_cast<Index>(first)) ||
        token_row(token_at(c, first - 1)).ends != Ends::Yes)
      continue;
    const std::string_view name = text_of(c, first + 1);
    const bool seeks = name == "elem" || name == "notElem";
    become(row, seeks ? DiagnosticCode::InTest : DiagnosticCode::InfixFunction, 0,
           seeks ? kNoEdit : 0);
    move_to(c, row, static_cast<Index>(first), last);
    return true;
  }
  return false;
}

}  // namespace

bool is_name_part(const Columns& c, i64 t) {
  const std::string_view word = text_of(c, t);
  if (is_beyond_ascii(word)) return find_alias(word) == nullptr && !is_odd_blank(word);
  return !word.empty() && is_word_byte(static_cast<u8>(word[0]));
}

void refine_character(const Columns& c, Index t, Diagnostic& row) {
  if (refine_bound(c, t, row)) return;
  if (refine_lambda_word(c, t, row) || refine_infix(c, t, row)) return;
  const std::string_view word = text_of(c, t), behind = text_of(c, i64{t} + 1);
  if (word == "~" && refine_joined(c, t, row)) return;        // `~/`, `~~x`
  if (word == "$" && refine_block_lambda(c, t, row)) return;  // `{ $0 + 1 }`
  if (word == "#") {
    const bool attribute = behind == "[" || behind == "!";
    if (touches_next(c, t) && refine_joined(c, t, row)) return;
    become(row, attribute ? DiagnosticCode::AttributeOrLabel : DiagnosticCode::ForeignComment);
    return move_to(c, row, t, attribute ? t + 1 : t);
  }
  // `@njit` on a line of its own.
  const bool decorates = word == "@" && is_first_on_line(c, t) && touches_next(c, t) &&
                         token_at(c, i64{t} + 1) == Token::Name;
  become(row, decorates ? DiagnosticCode::AttributeOrLabel : DiagnosticCode::BadCharacter);
  move_to(c, row, t, t);
  if (!is_beyond_ascii(word) || find_alias(word) != nullptr || is_odd_blank(word)) return;
  // The whole name of which the character is a part.
  Index first = t, last = t;
  while (t - first < kLongestLook && touches_next(c, i64{first} - 1) &&
         is_name_part(c, i64{first} - 1))
    --first;
  while (last - t < kLongestLook && touches_next(c, last) && is_name_part(c, i64{last} + 1)) ++last;
  become(row, DiagnosticCode::NonAsciiName);
  move_to(c, row, first, last);
}

bool refine_comment(const Columns& c, Index t, Diagnostic& row) {
  for (const i64 slash : {i64{t}, i64{t} - 1}) {  // the first half of `*/`
    const std::string_view a = text_of(c, slash), b = text_of(c, slash + 1);
    const bool starts = a == "/" && (b == "*" || b == "**");
    const bool ends = (a == "*" || a == "**") && b == "/";
    if (!(starts || ends) || !touches_next(c, slash)) continue;
    become(row, DiagnosticCode::ForeignComment);
    move_to(c, row, static_cast<Index>(slash), static_cast<Index>(slash) + 1);
    return true;
  }
  return false;
}

bool refine_joined(const Columns& c, Index t, Diagnostic& row) {
  for (const i64 first : {i64{t}, i64{t} - 1}) {
    if (!touches_next(c, first)) continue;
    const std::string_view a = text_of(c, first), b = text_of(c, first + 1);
    if (find_alias({a.data(), a.size() + b.size()}) == nullptr) continue;
    // `for i := 0; …`
    const bool is_head = a == ":" && token_at(c, first - 2) == Token::For;
    become(row, is_head ? DiagnosticCode::ForHead : DiagnosticCode::WordOperator, 0, 0);
    move_to(c, row, static_cast<Index>(is_head ? first - 2 : first),
            static_cast<Index>(is_head ? first - 2 : first + 1));
    return true;
  }
  return false;
}

bool refine_sign(const Columns& c, Index t, Diagnostic& row) {
  for (const i64 first : {i64{t} - 1, i64{t}}) {
    const std::string_view sign = text_of(c, first);
    if ((sign != "+" && sign != "-") || text_of(c, first + 1) != sign || !touches_next(c, first))
      continue;
    become(row, DiagnosticCode::IncrementOperator);
    move_to(c, row, static_cast<Index>(first), static_cast<Index>(first) + 1);
    return true;
  }
  return false;
}

bool refine_reference(const Columns& c, Index t, Diagnostic& row) {
  const Token before = token_at(c, i64{t} - 1), behind = token_at(c, i64{t} + 1);
  // `*x += 1` behind a block.
  const bool starts_line = row.code() == DiagnosticCode::BlockOperand && is_first_on_line(c, t);
  const bool stands_before = behind == Token::Name && touches_next(c, t) &&
                             (row.code() == DiagnosticCode::MissingLeft || starts_line ||
                              opens(before) || before == Token::Comma || before == Token::For ||
                              before == Token::Assign || before == Token::FatArrow);
  const std::string_view sign = text_of(c, t);
  if (!stands_before || (sign != "*" && sign != "**" && sign != "&")) return false;
  become(row, DiagnosticCode::AddressOfOperator, 0, 0);
  return true;
}

}  // namespace komuz::frontend
