// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_words.h"

#include "frontend_gpu/findings/habits/refine_definitions.h"
#include "frontend_gpu/findings/habits/refine_elements.h"
#include "frontend_gpu/findings/habits/refine_grids.h"
#include "frontend_gpu/findings/habits/refine_keywords.h"
#include "frontend_gpu/findings/habits/refine_lambdas.h"
#include "frontend_gpu/findings/habits/refine_literals.h"
#include "frontend_gpu/findings/habits/refine_negations.h"
#include "frontend_gpu/findings/habits/refine_one_line.h"
#include "frontend_gpu/findings/habits/refine_paths.h"
#include "frontend_gpu/findings/habits/refine_signs.h"
#include "frontend_gpu/findings/habits/refine_types.h"
#include "mend/aliases.h"

namespace komuz::frontend {

bool is_type_word(std::string_view word) {
  for (u8 s = 1; s < kScalarCount; ++s)
    if (scalar_name(static_cast<Scalar>(s)) == word) return true;
  const AliasRow* const row = find_alias(word);
  return row != nullptr && row->kind == AliasKind::Type;
}

namespace {

// `int x`, `for (int i = 0; …)`
bool refine_declaration(const Columns& c, Index t, Diagnostic& row) {
  if (t == 0 || token_at(c, t) != Token::Name || !is_type_word(text_of(c, i64{t} - 1)))
    return false;
  if (text_of(c, i64{t} - 2) == "(" && text_of(c, i64{t} - 3) == "for") {
    become(row, DiagnosticCode::ForHead);
    move_to(c, row, t - 3, t - 3);
    return true;
  }
  const Token before = token_at(c, i64{t} - 2);
  const bool is_head = before == Token::LParen || before == Token::Comma;
  if (is_head && is_parameter(c, t)) {
    become(row, DiagnosticCode::TypeBeforeName, kOfParameter, 0);
    move_to(c, row, t - 1, t);
    return true;
  }
  const bool starts = t == 1 || before == Token::Semi || before == Token::LBrace ||
                      before == Token::RBrace || is_first_on_line(c, t - 1);
  if (!starts) return false;
  // `unsigned int x`
  const Index name =
      is_type_word(text_of(c, t)) && token_at(c, i64{t} + 1) == Token::Name ? t + 1 : t;
  if (token_at(c, i64{name} + 1) == Token::LParen && opener_of(c, t) == kNone) {  // `int f(int x)`
    become(row, DiagnosticCode::ForeignFunction, 0, kNoEdit);
    move_to(c, row, t - 1, t - 1);
    return true;
  }
  const bool has_value = token_at(c, i64{name} + 1) == Token::Assign;
  become(row, DiagnosticCode::TypeBeforeName, 0, has_value ? 0 : kNoEdit);
  move_to(c, row, t - 1, name);
  return true;
}

// True if a token stands where a value starts.
bool starts_operand(const Columns& c, Index t) {
  const Token before = token_at(c, i64{t} - 1);
  return t == 0 || opens(before) || before == Token::Semi || before == Token::Comma ||
         before == Token::Assign || before == Token::Return || before == Token::FatArrow;
}

// True for the token behind the `case` of `case x of`: the line goes on with an `of`, or with a block.
bool starts_cases(const Columns& c, Index t) {
  for (Index k = t; k < c.tokens && k - t < kLongestLook; ++k) {
    if (k != t && is_first_on_line(c, k)) return false;
    if (text_of(c, k) == "of" || token_at(c, k) == Token::LBrace) return true;
    const Token token = token_at(c, k);
    if (token == Token::FatArrow || token == Token::Arrow || token == Token::Colon) return false;
  }
  return false;
}
// True if an arm starts with a token, directly in the braces of a `match`, or of the `match` of another language.
bool starts_arm(const Columns& c, Index t) {
  const Token before = token_at(c, i64{t} - 1);
  const Index open = opener_of(c, t);
  const bool starts = before == Token::LBrace || before == Token::Comma || before == Token::Semi;
  if (!starts || open == kNone || token_at(c, open) != Token::LBrace) return false;
  for (Index k = open; k > 0 && open - k < kLongestLook; --k) {
    const Token head = token_at(c, i64{k} - 1);
    const std::string_view word = text_of(c, i64{k} - 1);
    if (head == Token::Match || word == "switch" || word == "when") return true;
    if (head == Token::Semi || head == Token::LBrace || head == Token::RBrace) return false;
  }
  return false;
}
// True if the operand that starts with `t` has something before it: a sign, which in other languages binds tighter
// than `as`, or the name of a hole.
bool has_prefix(const Columns& c, Index t) {
  const std::string_view before = text_of(c, i64{t} - 1);
  const Token further = token_at(c, i64{t} - 2);
  const bool is_operand = further == Token::Name || further == Token::Int ||
                          further == Token::Float || further == Token::RParen ||
                          further == Token::RBracket;
  return before.starts_with('?') || before == "!" || before == "~" ||
         (before == "-" && !is_operand);
}
bool refine_macro(const Columns& c, Index t, Diagnostic& row) {
  if (t == 0 || text_of(c, t) != "!" || !touches_next(c, i64{t} - 1)) return false;
  if (text_of(c, i64{t} - 1) == "vec" && text_of(c, i64{t} + 1) == "[") {
    become(row, DiagnosticCode::WordOperator, 0, 0);
    move_to(c, row, t - 1, t);
    return true;
  }
  if (text_of(c, i64{t} + 1) != "(") return false;
  const bool known = find_alias(text_of(c, i64{t} - 1)) != nullptr;
  become(row, known ? DiagnosticCode::WordOperator : DiagnosticCode::MacroCall, 0, kNoEdit);
  move_to(c, row, t - 1, known ? t - 1 : t);
  return true;
}

Index line_start(const Columns& c, Index t) {
  Index k = t;
  while (k > 0 && t - k < kLongestLook && !is_first_on_line(c, k)) --k;
  return k;
}
// True if a `use` starts the line.
bool is_in_use(const Columns& c, Index t) { return token_at(c, line_start(c, t)) == Token::Use; }
// `import numpy as np`, `from math import sqrt`: the word that starts the line speaks for the whole line.
bool refine_import(const Columns& c, Index t, Diagnostic& row) {
  const Index start = line_start(c, t);
  for (Index first = start; first < t; ++first) {
    const std::string_view word = text_of(c, first);
    const bool stands_first = first == start || token_at(c, i64{first} - 1) == Token::LBrace ||
                              token_at(c, i64{first} - 1) == Token::Semi;
    if (!stands_first || (word != "import" && word != "from")) continue;
    become(row, DiagnosticCode::WordOperator, 0, 0);
    move_to(c, row, first, first);
    return true;
  }
  return false;
}
// The `for` before a token on its line; kNone: there is none.
Index find_for(const Columns& c, Index t) {
  for (Index k = t; k > 0 && t - k < kLongestLook && !is_first_on_line(c, k); --k)
    if (token_at(c, i64{k} - 1) == Token::For) return k - 1;
  return kNone;
}
// True for words that start only statements.
bool starts_statement(Token token) {
  return token == Token::Let || token == Token::Var || token == Token::Return ||
         token == Token::Assert || token == Token::For || token == Token::While ||
         token == Token::Break || token == Token::Continue;
}
// A word of another language where no such word may stand.
void refine_word(const Columns& c, Index t, Diagnostic& row) {
  if (text_of(c, t) == "where") return refine_where(c, t, row);
  become(row, DiagnosticCode::WordOperator, 0, 0);
  move_to(c, row, t, t);
}
// `let a = 1 let b = 2`
void refine_statement(const Columns& c, Index t, Diagnostic& row) {
  const Index open = opener_of(c, t);
  const bool stands_in_block = open != kNone && token_at(c, open) == Token::LBrace;
  if (t == 0 || !starts_statement(token_at(c, t)) || !stands_in_block) return;
  become(row, DiagnosticCode::MissingSemicolon, end_of(c, t - 1), 0);
}

}  // namespace

// Tokens show where the statement before it starts and where the block ends, because signs in a literal are none.
// There is no edit for a statement with blocks, for an arm, and for several lines.
void refine_where(const Columns& c, Index t, Diagnostic& row) {
  become(row, DiagnosticCode::WordOperator, 0, kNoEdit);
  move_to(c, row, t, t);
  const Index open = opener_of(c, t);
  const Index close =
      open == kNone || token_at(c, open) != Token::LBrace ? kNone : closer_of(c, open);
  if (close == kNone) return;
  u32 depth = 0;
  Index first = t;
  for (; first > open + 1; --first) {
    const Token before = token_at(c, i64{first} - 1);
    if (depth == 0 && before == Token::Semi) break;
    const bool is_torn = first != t && is_first_on_line(c, first);
    const bool is_arm = depth == 0 && (before == Token::FatArrow || before == Token::Comma);
    if (is_torn || is_arm || before == Token::LBrace || before == Token::RBrace) return;
    if (opens(before)) --depth;
    if (closes(before)) ++depth;
  }
  if (first == t) return;
  become(row, DiagnosticCode::WordOperator, c.token_start[first], c.token_start[close]);
}

bool is_item_or_operator(std::string_view word) {
  const AliasRow* const row = find_alias(word);
  return row != nullptr && (row->kind == AliasKind::Item || row->kind == AliasKind::Operator);
}

bool refine_template_cast(const Columns& c, Index t, Diagnostic& row) {
  constexpr Index kLongestType = 8;
  // `listOf<Int>(…)`
  const bool is_call = text_of(c, t) == ">" && text_of(c, i64{t} + 1) == "(" &&
                       touches_next(c, t) && text_of(c, i64{t} - 2) == "<" &&
                       touches_next(c, i64{t} - 2) && touches_next(c, i64{t} - 3) &&
                       is_type_word(text_of(c, i64{t} - 1));
  if (is_call && text_of(c, i64{t} - 3) != "static_cast") {
    become(row, DiagnosticCode::CallTypeArguments, 0, 0);
    move_to(c, row, t - 2, t);
    return true;
  }
  Index first = t;
  while (first > 0 && t - first < kLongestType && text_of(c, first) != "static_cast") --first;
  if (text_of(c, first) != "static_cast" || text_of(c, i64{first} + 1) != "<") return false;
  Index angle = first + 2;
  while (angle - first < kLongestType && token_at(c, angle) == Token::Name) ++angle;
  const Index open = angle + 1;
  const Index close =
      text_of(c, angle) == ">" && text_of(c, open) == "(" ? closer_of(c, open) : kNone;
  if (close == kNone) return false;
  become(row, DiagnosticCode::AsConversion, 0, end_of(c, close));
  move_to(c, row, first, angle);
  return true;
}

void refine_neighbours(const Columns& c, Index t, Diagnostic& row) {
  if (refine_template_cast(c, t, row)) return;
  if (token_at(c, t) == Token::Error) return refine_character(c, t, row);
  if (t > 0 && token_at(c, i64{t} - 1) == Token::Error) return refine_character(c, t - 1, row);
  const std::string_view word = text_of(c, t), before = text_of(c, i64{t} - 1);
  if (refine_function_type(c, t, row)) return;
  if (refine_string_prefix(c, t, row) || refine_comprehension(c, t, row)) return;
  const std::string_view next = text_of(c, i64{t} + 1);
  if (word == "in" && (next == "&" || next == "*") && find_for(c, t) != kNone) {
    become(row, DiagnosticCode::AddressOfOperator, 0, 0);  // `for x in &xs`
    return move_to(c, row, t + 1, t + 1);
  }
  const bool is_of_import = word == "as" || word == "import";
  if (is_of_import && refine_import(c, t, row)) return;
  if (word == "as") {
    if (is_in_use(c, t)) return become(row, DiagnosticCode::ModuleRename, 0, 0);
    const Index operand = t > 0 ? first_of_operand(c, t - 1) : kNone;
    // `i64::MAX as f64`: the path first; the conversion follows in the next round.
    if (operand != kNone && operand > 0 && text_of(c, i64{operand} - 1) == ":" &&
        refine_path(c, operand - 1, row))
      return;
    if (operand != kNone && refine_call_types(c, i64{operand} - 1, row)) return;
    const bool is_type =
        operand != kNone && text_of(c, i64{operand} - 1) == "as";  // `n as u32 as i64`
    const bool is_whole = operand != kNone && !is_type && !has_prefix(c, operand);
    row.a = is_whole ? c.token_start[operand] + 1 : 0;  // one based, for the fix
    return become(row, DiagnosticCode::AsConversion);
  }
  const Token leaves = token_at(c, i64{t} - 1);
  const bool leaves_loop = leaves == Token::Break || leaves == Token::Continue;
  if (leaves_loop && !is_first_on_line(c, t)) return become(row, DiagnosticCode::AttributeOrLabel);
  // Also the `steps` of `steps 8`.
  if (refine_grid_word(c, t, row) || (t > 0 && refine_grid_word(c, t - 1, row))) return;
  if (word == "step") return become(row, DiagnosticCode::StepOfRange);
  if (refine_leading_brackets(c, t, row)) return;
  if (token_at(c, t) == Token::Hole && (refine_joined(c, t, row) || refine_ternary(c, t, row)))
    return;
  if (word == "?" && touches_next(c, i64{t} - 1))  // `o?`
    return become(row, DiagnosticCode::WordOperator, 0, 0);
  const bool ends_range = word == "to" || word == "until";
  const Index loop = word == "of" || ends_range ? find_for(c, t) : kNone;
  if (loop != kNone && ends_range)  // `for i in 0 to n`
    return become(row, DiagnosticCode::RangeCall, 0, kNoEdit);
  if (loop != kNone) {  // `for (x of xs)`
    become(row, DiagnosticCode::ForHead);
    return move_to(c, row, loop, loop);
  }
  if (before == "range" && find_for(c, t) != kNone) {  // `for _, x := range xs`
    const Index head = find_for(c, t);
    become(row, DiagnosticCode::ForHead);
    return move_to(c, row, head, head);
  }
  if (before == "until" && find_for(c, t) != kNone) {
    become(row, DiagnosticCode::RangeCall, 0, kNoEdit);
    return move_to(c, row, t - 1, t - 1);
  }
  if (refine_not_in(c, t, row)) return;
  if (refine_lambda_word(c, t, row)) return;
  if (word == "is" && text_of(c, i64{t} + 1) == "not") {
    become(row, DiagnosticCode::WordOperator, 0, 0);
    return move_to(c, row, t, t + 1);
  }
  const bool is_changing = before == "mut" && text_of(c, i64{t} - 2) == "let";  // `let mut is = …`
  if (is_item_or_operator(word) && !is_changing) return refine_word(c, t, row);
  if (refine_macro(c, t, row) || refine_declaration(c, t, row)) return;
  if (refine_bare_parameter(c, t, row)) return;
  if (is_changing) {
    become(row, DiagnosticCode::LetMut);
    return move_to(c, row, t - 2, t - 1);
  }
  if (before == "mut" && text_of(c, i64{t} - 2) == "const") {
    become(row, DiagnosticCode::ConstantItem, 0, 0);
    return move_to(c, row, t - 2, t - 1);
  }
  const Index around = before == "mut" ? opener_of(c, t) : kNone;
  const bool is_bound =  // `let (mut a, mut b) = …`
      around != kNone && around > 0 && token_at(c, around - 1) == Token::Let;
  if (before == "mut" && text_of(c, i64{t} - 2) != "&" && refine_declared_parameter(c, t - 1, row))
    return;
  if (before == "mut" && is_bound) {
    become(row, DiagnosticCode::LetMut);
    return move_to(c, row, t - 1, t - 1);
  }
  const Token behind = token_at(c, i64{t} + 1);
  const bool binds = behind == Token::Assign || behind == Token::Colon;
  if ((before == "mut" || before == "val") && binds && opener_of(c, t) != kNone &&
      token_at(c, opener_of(c, t)) == Token::LBrace) {
    become(row, DiagnosticCode::WordOperator, 0, 0);
    return move_to(c, row, t - 1, t - 1);
  }
  if (before == "when" && starts_operand(c, t - 1)) {
    become(row, DiagnosticCode::ForeignMatch);
    return move_to(c, row, t - 1, t - 1);
  }
  if (before == "mut" && text_of(c, i64{t} - 2) == "&") {
    become(row, DiagnosticCode::AddressOfOperator);
    return move_to(c, row, t - 2, t - 2);
  }
  if (before == "mod" && is_first_on_line(c, t - 1)) {
    become(row, DiagnosticCode::ModuleItem, 0, 0);
    return move_to(c, row, t - 1, t - 1);
  }
  if (before == "lambda" && starts_operand(c, t - 1)) {
    become(row, DiagnosticCode::ForeignLambda, 0, 0);
    return move_to(c, row, t - 1, t - 1);
  }
  if (before == "case" && starts_operand(c, t - 1) && starts_cases(c, t) && !starts_arm(c, t - 1)) {
    become(row, DiagnosticCode::ForeignMatch, 0, 0);
    return move_to(c, row, t - 1, t - 1);
  }
  if (before == "import" && refine_import(c, t - 1, row)) return;
  if (t > 0 && refine_not(c, t - 1, row)) return;
  if (is_item_or_operator(before)) return refine_word(c, t - 1, row);
  if (before == ")" && is_type_word(text_of(c, i64{t} - 2)) && text_of(c, i64{t} - 3) == "(") {
    const bool simple = behind != Token::Dot && !opens(behind);
    become(row, DiagnosticCode::AsConversion, 0, simple ? end_of(c, t) : 0);
    return move_to(c, row, t - 3, t - 1);
  }
  if (refine_keyword(c, t, row) || refine_bare_body(c, t, row)) return;
  refine_statement(c, t, row);
}

bool refine_cases(const Columns& c, Index t, Diagnostic& row) {
  const Index open = opener_of(c, t);
  if (open == kNone || open == 0 || token_at(c, open) != Token::LBrace) return false;
  const Index head = token_at(c, i64{open} - 1) == Token::RParen ? opener_of(c, open - 1) : open;
  if (head == kNone || head == 0 || text_of(c, i64{head} - 1) != "when") return false;
  become(row, DiagnosticCode::ForeignMatch, 0, 0);
  move_to(c, row, head - 1, head - 1);
  return true;
}

}  // namespace komuz::frontend
