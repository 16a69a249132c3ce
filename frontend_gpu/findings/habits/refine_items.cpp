// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_items.h"

#include "mend/habits/from_items.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

// The first token of the item around a token, behind its `pub`; kNone: it is far away, or stands in a block.
Index head_of(const Columns& c, Index t) {
  Index first = t;
  while (first > 0 && !(is_first_on_line(c, first) && opener_of(c, first) == kNone)) {
    if (t - first == kLongestLook) return kNone;
    --first;
  }
  const Token before = token_at(c, i64{first} - 1);
  if (opener_of(c, first) != kNone || (first > 0 && !may_precede_item(before))) return kNone;
  return token_at(c, first) == Token::Pub ? first + 1 : first;
}

// True for `(…) -> T` or `(…) {` from a parenthesis on.
bool is_head_of_function(const Columns& c, Index open) {
  const Index close = token_at(c, open) == Token::LParen ? closer_of(c, open) : kNone;
  if (close == kNone) return false;
  const Token behind = token_at(c, i64{close} + 1);
  return behind == Token::Arrow || behind == Token::LBrace;
}
bool has_typed_parameters(const Columns& c, Index open) {
  const Token first = token_at(c, i64{open} + 1);
  return first == Token::RParen ||
         (first == Token::Name && token_at(c, i64{open} + 2) == Token::Colon);
}

// True if what stands behind a name belongs to an item that starts with the keyword.
bool fits(const Columns& c, Token keyword, std::string_view name, Index behind) {
  const Token next = token_at(c, behind);
  const bool has_capital = name[0] >= 'A' && name[0] <= 'Z';
  switch (keyword) {
    case Token::Fn:
    case Token::Space: return is_head_of_function(c, behind);
    case Token::Const: return next == Token::Assign || next == Token::Colon;
    case Token::Type: return has_capital && next == Token::Assign;
    case Token::Use: return next == Token::Semi || next == Token::Dot;
    default: return false;
  }
}
bool is_item_word(std::string_view word) {
  for (const Token keyword : {Token::Fn, Token::Const, Token::Type, Token::Space})
    if (token_row(keyword).spelling == word) return true;
  return false;
}
// The keyword that a word begins with and that fits what stands behind the word; Error: there is none.
Token glued_keyword(const Columns& c, Index head) {
  const std::string_view word = text_of(c, head);
  const auto begins_with = [word](Token keyword) {
    const std::string_view spelling = token_row(keyword).spelling;
    if (word.size() <= spelling.size() || !word.starts_with(spelling)) return false;
    return word[spelling.size()] < '0' || word[spelling.size()] > '9';
  };
  for (const Token keyword : {Token::Fn, Token::Space, Token::Const, Token::Type, Token::Use})
    if (begins_with(keyword) &&
        fits(c, keyword, word.substr(token_row(keyword).spelling.size()), head + 1))
      return keyword;
  const bool is_public = begins_with(Token::Pub) && token_at(c, i64{head} + 1) == Token::Name &&
                         is_item_word(word.substr(token_row(Token::Pub).spelling.size()));
  return is_public ? Token::Pub : Token::Error;
}

// True for words that stand before functions in other languages.
bool is_modifier(const Columns& c, Index t) {
  const Token token = token_at(c, t);
  const bool is_word = token == Token::Name || token == Token::Const || token == Token::Pub;
  return is_word && is_among(text_of(c, t),
                             {"async", "const", "constexpr", "default", "export", "extern", "final",
                              "inline", "internal", "open", "override", "private", "protected",
                              "pub", "public", "pure", "static", "unsafe", "virtual"});
}

}  // namespace

bool refine_modifiers(const Columns& c, Index t, Diagnostic& row) {
  constexpr Index kMost = 8;
  const Index head = head_of(c, t);
  if (head == kNone) return false;
  const bool is_public = head > 0 && token_at(c, i64{head} - 1) == Token::Pub;
  Index fn = head;
  // `pub(crate) fn`
  if (is_public && token_at(c, head) == Token::LParen &&
      token_at(c, i64{head} + 2) == Token::RParen)
    fn += 3;
  while (fn - head < kMost && is_modifier(c, fn)) ++fn;
  if (fn == head || token_at(c, fn) != Token::Fn || t > fn) return false;
  become(row, DiagnosticCode::WordOperator, 0, 0);
  move_to(c, row, is_public ? head - 1 : head, fn);
  return true;
}

bool refine_item_word(const Columns& c, Index t, Diagnostic& row) {
  const Index head = head_of(c, t);
  if (head == kNone || head > t || token_at(c, head) != Token::Name) return false;
  if (const Token keyword = glued_keyword(c, head); keyword != Token::Error) {
    become(row, DiagnosticCode::MisspeltKeyword, static_cast<u32>(keyword), kGluedKeyword);
    move_to(c, row, head, head);
    return true;
  }
  const bool lacks_word = is_head_of_function(c, head + 1) && has_typed_parameters(c, head + 1) &&
                          token_at(c, i64{closer_of(c, head + 1)} + 1) == Token::Arrow;
  if (!lacks_word) return false;
  become(row, DiagnosticCode::ForeignFunction, 0, kWithoutFn);
  move_to(c, row, head, head);
  return true;
}

}  // namespace komuz::frontend
