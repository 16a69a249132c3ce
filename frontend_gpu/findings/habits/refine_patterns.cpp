// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_patterns.h"

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/tree/tree.h"
#include "mend/type_edits.h"

namespace komuz::frontend {

namespace {

// The most tokens between the braces of a pattern.
constexpr u32 kLongestBraces = 128;

// True if a token stands in the pattern of an arm, before its `=>`.
bool stands_in_arm(const Columns& c, Index t) {
  Index last = t, open = opener_of(c, t);
  while (open != kNone &&
         (token_at(c, open) == Token::LParen || token_at(c, open) == Token::LBracket)) {
    last = closer_of(c, open);
    if (last == kNone) return false;
    open = opener_of(c, open);
  }
  if (open == kNone) return false;
  for (Index k = last + 1; k < c.tokens && k - last < kLongestLook; ++k) {
    const Token token = token_at(c, k);
    if (token == Token::FatArrow) return true;
    if (token == Token::Semi || token == Token::Comma || closes(token)) return false;
    if (opens(token) && (k = closer_of(c, k)) == kNone) return false;
  }
  return false;
}
// From the word of the match around a pattern to the first byte behind the `{` of its arms; both 0: none was found.
Span match_around(const Columns& c, Index t) {
  Index open = opener_of(c, t);
  while (open != kNone && token_at(c, open) != Token::LBrace) open = opener_of(c, open);
  if (open == kNone) return {};
  u32 wanted = 1;  // the matched value may be a match itself
  for (Index k = open; k > 0 && open - k < kLongestLook;) {
    const Token token = token_at(c, --k);
    if (token == Token::Match && --wanted == 0) return {c.token_start[k], end_of(c, open)};
    if (token == Token::Semi || opens(token)) break;
    wanted += token == Token::RBrace;
    if (closes(token) && (k = opener_of(c, k)) == kNone) break;
  }
  return {};
}
bool is_end_of_range(Token token) {
  return token == Token::Int || token == Token::Char || token == Token::Float;
}

}  // namespace

bool refine_braces(const Columns& c, Index t, Diagnostic& row) {
  const Token token = token_at(c, t);
  if ((token != Token::FatArrow && token != Token::Assign) || t == 0 ||
      token_at(c, i64{t} - 1) != Token::RBrace)
    return false;
  Index open = t - 1;
  while (open > 0 && t - open < kLongestBraces && token_at(c, open) != Token::LBrace) --open;
  const std::string_view name = text_of(c, i64{open} - 1);
  if (token_at(c, open) != Token::LBrace || name.empty() || name[0] < 'A' || name[0] > 'Z')
    return false;
  become(row, DiagnosticCode::PatternBraces, c.token_start[open - 1], c.token_length[open - 1]);
  move_to(c, row, open, t - 1);
  return true;
}

bool refine_bound(const Columns& c, Index t, Diagnostic& row) {
  if (text_of(c, t) != "@" || t == 0 || token_at(c, i64{t} - 1) != Token::Name ||
      !stands_in_arm(c, t))
    return false;
  const Span around = match_around(c, t);
  become(row, DiagnosticCode::BoundPattern, around.begin, around.end);
  move_to(c, row, t, t);
  return true;
}

bool refine_open_range(const Columns& c, Index t, Diagnostic& row) {
  const Token dots = token_at(c, t);
  if (t == 0 || (dots != Token::DotDot && dots != Token::DotDotEq)) return false;
  const bool has_first = is_end_of_range(token_at(c, i64{t} - 1));
  const bool is_negative = token_at(c, i64{t} + 1) == Token::Minus;
  const Index behind = is_negative ? t + 2 : t + 1;
  const bool has_last = is_end_of_range(token_at(c, behind));
  if (has_first == has_last || !stands_in_arm(c, t)) return false;
  Index first = has_first ? t - 1 : t;
  const bool has_sign = has_first && first > 0 && token_at(c, i64{first} - 1) == Token::Minus &&
                        touches_next(c, i64{first} - 1);
  if (has_sign) --first;
  const Span around = match_around(c, t);
  become(row, DiagnosticCode::OpenRange, around.begin, around.end);
  move_to(c, row, first, has_last ? behind : t);
  return true;
}

void refine_record(const Columns& c, Index t, Diagnostic& row) {
  const std::string_view name = text_of(c, t);
  const bool is_record =
      !name.empty() && name[0] >= 'A' && name[0] <= 'Z' && token_at(c, i64{t} + 1) == Token::LBrace;
  const Index close = is_record ? closer_of(c, t + 1) : kNone;
  if (close != kNone) row.a = end_of(c, close);
}

void refine_arm(const Columns& c, Index pattern, Diagnostic& row) {
  const u32 end = subtree_span(c, pattern).end;
  const Index guard = token_from(c, end);
  for (Index k = c.token[pattern]; k < c.tokens && !(k > guard && is_first_on_line(c, k)); ++k) {
    const Token token = token_at(c, k);
    if (token == Token::FatArrow || token == Token::Comma || closes(token)) break;
    if (token == Token::Arrow) return move_to(c, row, k, k);  // `Some(x) if x > 0 -> x`
    if (opens(token) && (k = closer_of(c, k)) == kNone) break;
  }
  if (token_at(c, guard) != Token::If || !is_first_on_line(c, guard)) return;
  Index k = guard + 1;
  while (k < c.tokens && !is_first_on_line(c, k) && token_at(c, k) != Token::FatArrow) ++k;
  if (token_at(c, k) != Token::FatArrow || is_first_on_line(c, k)) return;
  row.a = c.token_start[guard];
  row.b = end;
}

void refine_element(const Columns& c, Index pattern, Diagnostic& row) {
  const Index first = c.token[c.begin[pattern]];
  const std::string_view word = text_of(c, first);
  if (word != "Some" && word != "None") return;
  const Index open = opener_of(c, first);  // around the arms
  if (open == kNone || open < 4 || text_of(c, open - 1) != ")" || text_of(c, open - 2) != "(" ||
      !gives_element(text_of(c, open - 3)) || text_of(c, open - 4) != ".")
    return;
  row.b = c.token_start[open - 3];
}

}  // namespace komuz::frontend
