// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_negations.h"

#include "frontend_gpu/findings/habits/refine_words.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

// The token behind the operand that starts with `t`, if a `!` before it would negate just that operand; kNone: an
// operator that binds looser follows.
Index behind_operand(const Columns& c, Index t) {
  u32 depth = 0;
  Index k = t;
  for (; k < c.tokens && k - t < kLongestLook; ++k) {
    const Token token = token_at(c, k);
    if (closes(token)) {
      if (depth == 0) return k;
      --depth;
    } else if (depth == 0 && k != t) {
      const std::string_view word = text_of(c, k);
      const bool outer = token == Token::Semi || token == Token::Comma || token == Token::LBrace ||
                         token == Token::AndAnd || token == Token::OrOr || word == "and" ||
                         word == "or" || is_first_on_line(c, k);
      if (outer) return k;
      if (token != Token::Dot && token != Token::LParen && token_at(c, i64{k} - 1) != Token::Dot)
        return kNone;
    }
    if (opens(token)) ++depth;
  }
  return k;
}
bool joins(const Columns& c, i64 t) { return is_among(text_of(c, t), {"&&", "||", "and", "or"}); }
// True if a word stands in front of a condition, parentheses apart.
bool starts_condition(const Columns& c, Index word) {
  i64 before = i64{word} - 1;
  while (before > 0 && token_at(c, before) == Token::LParen &&
         token_row(token_at(c, before - 1)).ends != Ends::Yes)
    --before;
  return joins(c, before) || is_among(text_of(c, before), {"if", "elif", "while", "assert", "!"});
}
// True if an operator between two tokens gives a bool.
bool compares(const Columns& c, Index open, Index close) {
  for (Index k = open + 1; k < close; ++k)
    if (joins(c, k) || is_among(text_of(c, k), {"==", "!=", "<", ">", "<=", ">=", "in", "not"}))
      return true;
  return false;
}
// True if a name is a bool, as far as the head of the function or its `let` shows.
bool is_bool(const Columns& c, Index name) {
  for (Index t = name; t > 0 && name - t < kLongestBrackets && token_at(c, t) != Token::Fn; --t) {
    if (text_of(c, i64{t} - 1) != text_of(c, name)) continue;
    const Token before = token_at(c, i64{t} - 2), behind = token_at(c, t);
    const std::string_view word = text_of(c, i64{t} + 1);
    const bool is_bound = before == Token::Let || before == Token::Var;
    if (behind == Token::Colon && (is_bound || is_parameter(c, t - 1))) return word == "bool";
    if (!is_bound) continue;
    Index end = t + 1;
    while (end < name && token_at(c, end) != Token::Semi && !is_first_on_line(c, end)) ++end;
    return is_among(word, {"true", "false"}) || compares(c, t, end);
  }
  return is_among(text_of(c, name), {"true", "false"});
}
// True if the operand from one token up to another is a bool, as far as its words show.
bool is_truth(const Columns& c, Index t, Index end) {
  const Index last = end - 1;
  if (last == t) return is_bool(c, t);
  const Index open = token_at(c, last) == Token::RParen ? opener_of(c, last) : kNone;
  if (open == kNone || open < t) return false;
  if (open == t) return compares(c, open, last) || (last == t + 2 && is_bool(c, t + 1));
  return !is_type_word(text_of(c, i64{open} - 1)) &&
         !is_among(text_of(c, i64{open} - 1), {"len", "length", "size", "count", "sum", "abs",
                                               "min", "max", "floor", "round", "ceil"});
}

// True if `!` may replace a `not`; takes the token behind the word. `!` of a number is something else, and
// `not a == b` is `!(a == b)`.
bool may_negate(const Columns& c, Index t) {
  const Index end = behind_operand(c, t);
  if (end == kNone || end == t) return false;
  return starts_condition(c, t - 1) || joins(c, end) || is_truth(c, t, end);
}

}  // namespace

bool refine_not(const Columns& c, Index t, Diagnostic& row) {
  if (text_of(c, t) != "not") return false;
  become(row, DiagnosticCode::WordOperator, 0, may_negate(c, t + 1) ? 0 : kNoEdit);
  move_to(c, row, t, t);
  return true;
}

bool refine_not_in(const Columns& c, Index t, Diagnostic& row) {
  const bool is_not = text_of(c, t) == "not" || (text_of(c, t) == "!" && touches_next(c, t));
  if (!is_not || text_of(c, i64{t} + 1) != "in") return false;
  // `x not in xs`, `x !in xs` with two names between operators that bind looser.
  const Token behind = token_at(c, i64{t} + 3);
  const bool ends = closes(behind) || behind == Token::LBrace || behind == Token::Semi ||
                    behind == Token::Comma || behind == Token::AndAnd || behind == Token::OrOr ||
                    text_of(c, i64{t} + 3) == "and" || text_of(c, i64{t} + 3) == "or" ||
                    is_first_on_line(c, t + 3);
  const std::string_view before = text_of(c, i64{t} - 2);
  const bool is_statement =
      t > 1 && is_first_on_line(c, t - 1) && token_row(token_at(c, i64{t} - 2)).ends == Ends::Yes;
  const bool starts = opens(token_at(c, i64{t} - 2)) || is_statement || before == "}" ||
                      before == "if" || before == "while" || before == "return" ||
                      before == "and" || before == "or" || before == "&&" || before == "||" ||
                      before == "=" || before == "," || before == ";";
  if (starts && ends && token_at(c, i64{t} - 1) == Token::Name &&
      token_at(c, i64{t} + 2) == Token::Name) {
    become(row, DiagnosticCode::InTest, c.token_start[t], 0);
    move_to(c, row, t - 1, t + 2);
    return true;
  }
  become(row, DiagnosticCode::InTest, 0, kNoEdit);
  move_to(c, row, t, t + 1);
  return true;
}

}  // namespace komuz::frontend
