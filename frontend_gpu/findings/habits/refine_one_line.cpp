// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_one_line.h"

namespace komuz::frontend {

namespace {

// The first token of the expression that ends before `t`, on the same line.
Index expression_start(const Columns& c, Index t) {
  u32 depth = 0;
  for (Index k = t; k > 0 && t - k < kLongestLook && !is_first_on_line(c, k); --k) {
    const Token before = token_at(c, static_cast<i64>(k) - 1);
    if (closes(before)) ++depth;
    if (depth == 0) {
      const bool ends = opens(before) || before == Token::Semi || before == Token::Comma ||
                        before == Token::Return || before == Token::FatArrow ||
                        (before >= Token::Assign && before <= Token::ShrAssign);
      if (ends) return k;
    }
    if (opens(before)) --depth;
    if (k == 1 || is_first_on_line(c, k - 1)) return k - 1;
  }
  return t;
}
// The token that ends the statement or operand that starts with `t`, on the same line.
Index expression_end(const Columns& c, Index t) {
  u32 depth = 0;
  Index k = t;
  for (; k < c.tokens && k - t < kLongestLook; ++k) {
    const Token token = token_at(c, k);
    if (k != t && is_first_on_line(c, k)) break;
    const bool ends =
        closes(token) || token == Token::Semi || token == Token::Comma || token == Token::Else;
    if (depth == 0 && ends) break;
    if (opens(token)) ++depth;
    if (closes(token)) --depth;
  }
  return k;
}
// True if a token ends an operand, so that a `?` behind it is no hole.
bool ends_operand(Token token) {
  return token == Token::Name || token == Token::Int || token == Token::Float ||
         token == Token::True || token == Token::False || token == Token::Char ||
         token == Token::RParen || token == Token::RBracket;
}
// The `:` that belongs to the `?` at token `t`, directly inside of the same brackets. Choices between the two have
// colons of their own. kNone: there is none.
Index find_colon(const Columns& c, Index t) {
  const Index end = expression_end(c, t);
  u32 depth = 0, inner = 0;
  for (Index k = t; k < end; ++k) {
    const Token token = token_at(c, k);
    if (opens(token)) ++depth;
    if (closes(token)) --depth;
    if (depth != 0) continue;
    if (k != t && token == Token::Hole && ends_operand(token_at(c, i64{k} - 1))) ++inner;
    if (token == Token::Colon && inner-- == 0) return k;
  }
  return kNone;
}
// The `if`, `while` or `for` before `t` in the same statement and on the same line; kNone: there is none.
Index find_head(const Columns& c, Index t) {
  for (Index k = t; k > 0 && t - k < kLongestLook && !is_first_on_line(c, k); --k) {
    const Token token = token_at(c, static_cast<i64>(k) - 1);
    if (token == Token::If || token == Token::While || token == Token::For) return k - 1;
    if (token == Token::Semi || token == Token::LBrace || token == Token::RBrace ||
        token == Token::Else)
      return kNone;
  }
  return kNone;
}

}  // namespace

bool refine_ternary(const Columns& c, Index t, Diagnostic& row) {
  const Index colon = find_colon(c, t);
  if (colon == kNone || t == 0) return false;
  const Index first = expression_start(c, t), end = expression_end(c, colon + 1);
  become(row, DiagnosticCode::ForeignChoice, c.token_start[t], c.token_start[colon]);
  if (first == t || end == colon + 1) {
    row.b = 0;  // a part of it is missing
    return true;
  }
  move_to(c, row, first, end - 1);
  return true;
}

bool refine_choice_line(const Columns& c, Index t, Diagnostic& row) {
  Index first = t;
  while (first > 0 && t - first < kLongestLook && token_at(c, first) != Token::If &&
         !is_first_on_line(c, first))
    --first;
  if (token_at(c, first) != Token::If) return false;
  Index colon = kNone;
  u32 depth = 0;
  for (Index k = first + 1; k < c.tokens && !is_first_on_line(c, k) && k - first < kLongestLook;
       ++k) {
    const Token token = token_at(c, k);
    if (closes(token) && depth-- == 0) return false;
    if (depth == 0 && token == Token::Colon && colon == kNone) colon = k;
    if (depth == 0 && token == Token::LBrace && colon == kNone) return false;
    if (opens(token)) ++depth;
    const bool ends = token == Token::Else && token_at(c, i64{k} + 1) == Token::Colon;
    if (depth != 0 || !ends || colon == kNone) continue;
    become(row, DiagnosticCode::ColonBlock);
    move_to(c, row, colon, colon);
    return true;
  }
  return false;
}

bool refine_bare_body(const Columns& c, Index t, Diagnostic& row) {
  const Index head = find_head(c, t);
  if (head == kNone) return false;
  const Index block = next_block(c, t);
  if (block == kNone) {
    put_into_braces(c, head, t, row);
    return true;
  }
  // `for i in a for j in b { … }`: the inner loop has a block, the outer one has none.
  const Token token = token_at(c, t);
  const Index close = closer_of(c, block);
  const bool is_inner = token == Token::If || token == Token::While || token == Token::For;
  if (!is_inner || close == kNone || token_at(c, i64{close} + 1) == Token::Else) return false;
  become(row, DiagnosticCode::MissingBraces, c.token_start[head], c.token_length[head]);
  move_to(c, row, t, close);
  return true;
}

void put_into_braces(const Columns& c, Index head, Index first, Diagnostic& row) {
  Index end = expression_end(c, first);
  if (end < c.tokens && token_at(c, end) == Token::Semi && !is_first_on_line(c, end)) ++end;
  become(row, DiagnosticCode::MissingBraces, c.token_start[head], c.token_length[head]);
  move_to(c, row, first, end == first ? first : end - 1);
}

}  // namespace komuz::frontend
