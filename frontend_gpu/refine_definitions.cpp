// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/refine_definitions.h"

#include "frontend_gpu/refine_text.h"

namespace komuz::frontend {

namespace {

// Tokens of a head.
constexpr u32 kLongestHead = 256;

// `f(…)` or `f(…) -> T` from `name` on: the `:` behind it; kNone: there is none.
Index colon_behind(const Columns& c, Index name) {
  if (token_at(c, name) != Token::Name || token_at(c, i64{name} + 1) != Token::LParen) return kNone;
  u32 depth = 0;
  for (Index t = name + 1; t < c.tokens && t - name < kLongestHead; ++t) {
    const Token token = token_at(c, t);
    if (token == Token::LBrace || token == Token::RBrace || token == Token::Semi) return kNone;
    if (depth == 0 && token == Token::Colon) return t;
    depth += opens(token);
    if (closes(token) && depth-- == 0) return kNone;
  }
  return kNone;
}

// The `fn` before a token; kNone: there is none near.
Index function_before(const Columns& c, Index t) {
  for (Index k = t; k > 0 && t - k < kLongestHead; --k)
    if (token_at(c, i64{k} - 1) == Token::Fn) return k - 1;
  return kNone;
}

}  // namespace

void refine_definition(const Columns& c, Diagnostic& row) {
  const bool is_word = row.code() == DiagnosticCode::WordOperator;
  if (!is_word && row.code() != DiagnosticCode::NotAnItem) return;
  const Index t = token_from(c, row.begin);
  if (is_word) {
    if (text_of(c, t) != "def") return;
    if (const Index colon = colon_behind(c, t + 1); colon != kNone)
      become(row, DiagnosticCode::ForeignFunction, c.token_start[colon], 0);
    return;
  }
  const bool is_behind = t > 0 && is_first_on_line(c, t) && token_at(c, t) != Token::Colon;
  const Index colon = is_behind ? t - 1 : t;
  if (token_at(c, colon) != Token::Colon) return;
  const Index fn = function_before(c, colon);
  if (fn == kNone || colon_behind(c, fn + 1) != colon) return;
  become(row, DiagnosticCode::ColonBlock, 0, 0);
  move_to(c, row, colon, colon);
}

}  // namespace komuz::frontend
