// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_definitions.h"

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_text.h"
#include "frontend_gpu/findings/habits/refine_words.h"
#include "mend/habits/from_text.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

// The most tokens of a head.
constexpr u32 kLongestHead = 256;

// The `:` behind `f(…)` or `f(…) -> T`, which starts at `name`; kNone: there is none.
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

// True if the result and each parameter have types, so that only braces are missing.
bool has_types(const Columns& c, Index name, Index colon) {
  if (token_at(c, i64{colon} - 1) == Token::RParen) return false;
  bool starts = true;
  for (Index t = name + 2; t < colon && token_at(c, t) != Token::RParen; ++t) {
    if (starts && token_at(c, i64{t} + 1) != Token::Colon) return false;
    if (opens(token_at(c, t))) {
      const Index close = closer_of(c, t);
      if (close == kNone) return false;
      t = close;
    }
    if (token_at(c, t) == Token::Assign) return false;  // a default value
    starts = token_at(c, t) == Token::Comma;
  }
  return true;
}
// True for `fn f(n: i64): i64 {`: the type behind the colon is that of the result.
bool is_before_result(const Columns& c, Index colon) {
  const Token behind = token_at(c, i64{colon} + 1);
  if (token_at(c, i64{colon} - 1) != Token::RParen || is_first_on_line(c, colon + 1)) return false;
  if (behind == Token::LBracket || behind == Token::LParen) return true;
  const std::string_view word = text_of(c, i64{colon} + 1);
  const Token next = token_at(c, i64{colon} + 2);
  const bool is_capital = !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
  return behind == Token::Name && (is_type_word(word) || is_capital) &&
         (next == Token::LBrace || next == Token::LBracket || next == Token::Lt);
}
// True for `fn f(n: i64) -> i64 = n + 1`: everything between `fn` and the mark is the head.
bool is_behind_head(const Columns& c, Index fn, Index mark) {
  u32 depth = 0;
  bool has_result = false;
  for (Index t = fn + 1; t < mark; ++t) {
    const Token token = token_at(c, t);
    if (token == Token::LBrace || token == Token::Semi) return false;
    depth += opens(token);
    if (closes(token) && depth-- == 0) return false;
    has_result |= depth == 0 && (token == Token::Arrow || token == Token::Colon);
  }
  return depth == 0 && has_result;
}

// True for `fn f(x) = x * x`, whose result has no type.
bool is_behind_parameters(const Columns& c, Index fn, Index mark) {
  return token_at(c, i64{fn} + 1) == Token::Name && token_at(c, i64{fn} + 2) == Token::LParen &&
         closer_of(c, fn + 2) == mark - 1;
}

// True for the parenthesis of `prop "name" (`.
bool is_of_property(const Columns& c, Index open) {
  return token_at(c, open) == Token::LParen && token_at(c, i64{open} - 1) == Token::String &&
         token_at(c, i64{open} - 2) == Token::Prop;
}
// The `fn` before a token; kNone: there is none near.
Index function_before(const Columns& c, Index t) {
  for (Index k = t; k > 0 && t - k < kLongestHead; --k)
    if (token_at(c, i64{k} - 1) == Token::Fn) return k - 1;
  return kNone;
}

u32 indent_of(const Columns& c, Index t) {
  const u32 start = c.token_start[t];
  const size_t line = source_of(c).substr(0, start).rfind('\n');
  return line == std::string_view::npos ? start : start - static_cast<u32>(line) - 1;
}
Index first_on_line(const Columns& c, Index t) {
  Index first = t;
  while (first > 0 && t - first < kLongestLook && !is_first_on_line(c, first)) --first;
  return first;
}
// For a token in a function that is written as in Python: the `:` behind the head; kNone: it stands in no such
// function.
Index colon_of_block(const Columns& c, Index t) {
  const Index line = first_on_line(c, t), fn = function_before(c, line);
  const Index colon = fn == kNone ? kNone : colon_behind(c, fn + 1);
  if (colon == kNone || colon + 1 > line || !is_first_on_line(c, colon + 1)) return kNone;
  const u32 indent = indent_of(c, first_on_line(c, fn));  // that of its `pub`, if there is one
  for (Index k = colon + 1; k <= line; ++k)
    if (is_first_on_line(c, k) && indent_of(c, k) <= indent) return kNone;
  return colon;
}

// `function fib(n) { … }`, `function f() { … }`: replacing the word alone would leave a head without types.
void refine_untyped(const Columns& c, Index word, Diagnostic& row) {
  const Index open = word + 2;
  if (!is_among(text_of(c, word), {"function", "func", "fun"}) || opener_of(c, word) != kNone ||
      token_at(c, i64{word} + 1) != Token::Name || token_at(c, open) != Token::LParen)
    return;
  const Index close = closer_of(c, open);
  if (close == kNone || token_at(c, i64{close} + 1) != Token::LBrace) return;
  const bool is_untyped =
      token_at(c, i64{open} + 1) == Token::Name && token_at(c, i64{open} + 2) != Token::Colon;
  if (is_untyped || close == open + 1) become(row, DiagnosticCode::ForeignFunction, 0, kNoEdit);
}

}  // namespace

bool refine_constant_function(const Columns& c, Index arrow, Diagnostic& row) {
  const Index first = first_on_line(c, arrow);
  if (token_at(c, arrow) != Token::FatArrow || token_at(c, first) != Token::Const) return false;
  become(row, DiagnosticCode::ForeignFunction, 0, kNoEdit);
  move_to(c, row, first, first);
  return true;
}

bool refine_default(const Columns& c, Index assign, Diagnostic& row) {
  const Index value = c.right[assign];
  if (value == kNone || !is_parameter(c, c.token[assign])) return false;
  const Span all = subtree_span(c, value);
  become(row, DiagnosticCode::DefaultValue, 0, 0);
  span(row, all.begin, all.end);
  return true;
}

bool refine_declared_parameter(const Columns& c, Index t, Diagnostic& row) {
  const Token token = token_at(c, t);
  const bool declares = token == Token::Let || token == Token::Var || text_of(c, t) == "mut";
  const Index open = declares && token_at(c, i64{t} + 1) == Token::Name ? opener_of(c, t) : kNone;
  if (open == kNone || (!is_parameter(c, t) && !is_of_property(c, open))) return false;
  become(row, DiagnosticCode::DeclaredParameter, 0, 0);
  move_to(c, row, t, t);
  return true;
}

bool refine_bare_parameter(const Columns& c, Index t, Diagnostic& row) {
  Index open = opener_of(c, t);
  while (open != kNone && token_at(c, open) == Token::LBracket) {
    t = open;
    open = opener_of(c, t);
  }
  if (open == kNone || (!is_parameter(c, t) && !is_of_property(c, open))) return false;
  const auto is_direct = [&](Index k) { return opener_of(c, k) == open; };
  Index name = t;
  while (name > open + 1 && !(token_at(c, i64{name} - 1) == Token::Comma && is_direct(name - 1)))
    --name;
  Index last = name;
  for (Token next = token_at(c, i64{last} + 1);
       !((next == Token::Comma || next == Token::RParen) && is_direct(last + 1));
       next = token_at(c, i64{++last} + 1))
    if (next == Token::Colon || next == Token::Assign || last - name == kLongestHead ||
        last + 1 >= c.tokens)
      return false;
  if (token_at(c, name) != Token::Name || last == name) return false;
  const std::string_view type = text_of(c, i64{name} + 1);
  const bool is_type = type == "[" || is_type_word(type) || (type[0] >= 'A' && type[0] <= 'Z');
  if (!is_type) return false;
  while (token_at(c, i64{name} - 1) == Token::Comma && token_at(c, i64{name} - 2) == Token::Name &&
         (name - 2 == open + 1 || token_at(c, i64{name} - 3) == Token::Comma))
    name -= 2;
  become(row, DiagnosticCode::TypeBeforeName, kWithoutColon, 0);
  move_to(c, row, name, last);
  return true;
}

bool refine_bare_item(const Columns& c, Index t, Diagnostic& row) {
  Index name = t;
  while (name > 0 && t - name < kLongestLook && !is_first_on_line(c, name)) --name;
  const Token before = token_at(c, i64{name} - 1);
  const bool is_between = name == 0 || may_precede_item(before);
  if (!is_between || token_at(c, name) != Token::Name || t == name ||
      token_at(c, i64{name} + 1) != Token::Assign || opener_of(c, name) != kNone)
    return false;
  Index last = name + 1;
  // The value ends with the line, or where a comment of another language starts. Brackets go on to their end.
  while (last + 1 < c.tokens && !is_first_on_line(c, last + 1) && text_of(c, last + 1) != "#") {
    ++last;
    if (const std::string_view word = text_of(c, last); word == "lambda" || word == "=>") {
      become(row, DiagnosticCode::ForeignFunction, 0, kNoEdit);
      move_to(c, row, name, name);
      return true;
    }
    if (opens(token_at(c, last))) last = closer_of(c, last);
    if (last == kNone) return false;
  }
  become(row, DiagnosticCode::ConstantItem, 0, 0);
  move_to(c, row, name, last);
  return true;
}

bool refine_type_bound(const Columns& c, Index sign, Diagnostic& row) {
  constexpr Index kLongestBounds = 32;
  const auto opens_bounds = [&c](Index t) {
    return token_at(c, t) == Token::Lt && token_at(c, i64{t} - 1) == Token::Name &&
           token_at(c, i64{t} - 2) == Token::Fn;
  };
  const auto closes_bounds = [&c](Index t) {
    return token_at(c, t) == Token::Gt && token_at(c, i64{t} + 1) == Token::LParen;
  };
  if (token_at(c, sign) != Token::Colon && token_at(c, sign) != Token::Assign) return false;
  Index open = sign, close = sign;
  while (open > 0 && sign - open < kLongestBounds && !opens_bounds(open)) --open;
  while (close + 1 < c.tokens && close - sign < kLongestBounds && !closes_bounds(close)) ++close;
  if (!opens_bounds(open) || !closes_bounds(close)) return false;
  become(row, DiagnosticCode::GenericFunction, 0, 0);
  move_to(c, row, open, close);
  return true;
}

void refine_definition(const Columns& c, Diagnostic& row) {
  const bool is_word = row.code() == DiagnosticCode::WordOperator;
  const bool is_item =
      row.code() == DiagnosticCode::NotAnItem || row.code() == DiagnosticCode::ConstantItem;
  if (!is_word && !is_item) return;
  const Index t = token_from(c, row.begin);
  if (is_word) {
    if (text_of(c, t) != "def") return refine_untyped(c, t, row);
    if (const Index colon = colon_behind(c, t + 1); colon != kNone)
      become(row, DiagnosticCode::ForeignFunction, c.token_start[colon],
             has_types(c, t + 1, colon) ? 0 : kNoEdit);
    return;
  }
  if (token_at(c, t) == Token::Assign || token_at(c, t) == Token::FatArrow) {
    const Index head = function_before(c, t);
    if (head == kNone || !(is_behind_head(c, head, t) || is_behind_parameters(c, head, t))) return;
    return become(row, DiagnosticCode::ForeignFunction, 0, kNoEdit);
  }
  const bool is_behind = t > 0 && is_first_on_line(c, t) && token_at(c, t) != Token::Colon;
  Index colon = is_behind ? t - 1 : t;
  if (const Index whole = colon_of_block(c, t); whole != kNone) colon = whole;
  if (token_at(c, colon) != Token::Colon) return;
  const Index fn = function_before(c, colon);
  if (fn == kNone || colon_behind(c, fn + 1) != colon) return;
  const bool has_result = is_before_result(c, colon);
  become(row, has_result ? DiagnosticCode::MissingResultType : DiagnosticCode::ColonBlock, 0, 0);
  move_to(c, row, colon, colon);
}

}  // namespace komuz::frontend
