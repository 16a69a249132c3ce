// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_unexpected.h"

#include <algorithm>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_definitions.h"
#include "frontend_gpu/findings/habits/refine_elements.h"
#include "frontend_gpu/findings/habits/refine_lambdas.h"
#include "frontend_gpu/findings/habits/refine_one_line.h"
#include "frontend_gpu/findings/habits/refine_statements.h"
#include "frontend_gpu/findings/habits/refine_tuples.h"
#include "frontend_gpu/findings/habits/refine_types.h"
#include "frontend_gpu/findings/habits/refine_words.h"
#include "frontend_gpu/tree/tree.h"
#include "lang/diagnostic_types.h"
#include "mend/aliases.h"

namespace komuz::frontend {

namespace {

bool is_head(Node kind) {
  return kind == Node::If || kind == Node::While || kind == Node::For || kind == Node::Match;
}
// True for a word whose head stands before a block.
bool is_head_word(Token word) {
  return word == Token::If || word == Token::While || word == Token::For || word == Token::Match;
}
// True for an `if` or `while` whose condition an `=` cuts in two: `if x = 3 { … }`.
bool is_cut_by_assignment(const Columns& c, Index node) {
  const Index above = parent_of(c, node);
  if (above == kNone || node_kind(c, above) != Node::Assign || c.left[above] != node) return false;
  const Index right = c.right[above];
  return right != kNone && c.right[node] != kNone &&
         (node_kind(c, right) == Node::Body || node_kind(c, right) == Node::Else);
}
// True for the name of a `var` of the same item.
bool is_of_var(const Columns& c, Index name) {
  const i64 end = std::max<i64>(0, i64{name} - kLongestBrackets);
  for (i64 t = i64{name} - 1; t >= end && token_at(c, t) != Token::Fn; --t)
    if (token_at(c, t) == Token::Var && text_of(c, t + 1) == text_of(c, name)) return true;
  return false;
}
// A `=` where a value stands. In a lambda, `x => c = c + x`, the row keeps the variable that is to change.
void refine_assigned_value(const Columns& c, Index assign, Diagnostic& row) {
  const Index left = c.left[assign], above = parent_of(c, assign);
  const bool is_body =
      above != kNone && node_kind(c, above) == Node::Lambda && c.right[above] == assign;
  if (is_body && left != kNone && node_kind(c, left) == Node::Name && is_of_var(c, c.token[left])) {
    become(row, DiagnosticCode::LambdaAssigns, 0, 0);
    return move_to(c, row, c.token[left], c.token[left]);
  }
  become_assigned(c, c.token[assign], row);
}
// The token behind the blocks of a `match` or an `if` that starts with token t; kNone: one is missing.
Index end_of_blocks(const Columns& c, Index t) {
  for (Index k = t; k < c.tokens && k - t < kLongestBrackets;) {
    const Index open = next_block(c, k);
    const Index close = open == kNone ? kNone : closer_of(c, open);
    if (close == kNone) return kNone;
    if (token_at(c, t) == Token::Match || token_at(c, i64{close} + 1) != Token::Else)
      return close + 1;
    k = close + 2;
  }
  return kNone;
}
// `if match x { … } { … }`: the outer head takes the block of the inner one for its own.
bool refine_nested_head(const Columns& c, Index node, Diagnostic& row) {
  const Index t = c.token[node];
  if (token_at(c, t) != Token::Match && token_at(c, t) != Token::If) return false;
  Index head = t;
  while (head > 0 && t - head < kLongestLook) {
    const Token before = token_at(c, i64{--head});
    if (is_head_word(before)) break;
    if (opens(before) || closes(before) || before == Token::Semi || before == Token::Else)
      return false;
  }
  const Index end = head != t && is_head_word(token_at(c, head)) ? end_of_blocks(c, t) : kNone;
  if (end == kNone || end >= c.tokens || next_block(c, end) == kNone) return false;
  become(row, DiagnosticCode::PrefixAfterTighter, kOfHead, end_of(c, end - 1));
  move_to(c, row, t, t);
  return true;
}
// `while x > { … }`: the block is no body, because an operand before it is missing. `let while = 1`: it is no name.
void refine_head(const Columns& c, Index node, Diagnostic& row) {
  const Index above = parent_of(c, node);
  if (is_cut_by_assignment(c, node)) {
    become_assigned(c, c.token[above], row);
    return move_to(c, row, c.token[above], c.token[above]);
  }
  if (above != kNone && c.left[above] == node) {
    const Node around = node_kind(c, above);
    if (around == Node::Body) return;
    const bool names = around == Node::Assign || around == Node::Colon;
    if (names && c.right[node] == kNone) return become(row, DiagnosticCode::ReservedWord);
    // `for i = 0; i < n; …` and `for x : xs { … }`.
    const bool names_one = node_kind(c, node) == Node::For && c.right[node] != kNone &&
                           node_kind(c, c.right[node]) == Node::Name;
    if (names_one && (around == Node::Assign || around == Node::Colon))
      return become(row, DiagnosticCode::ForHead);
    if (around == Node::Colon && node_kind(c, node) != Node::Match) {
      become(row, DiagnosticCode::ColonBlock);
      return move_to(c, row, c.token[above], c.token[above]);
    }
  }
  Index last = node;
  while (c.right[last] != kNone && node_kind(c, c.right[last]) != Node::Block) last = c.right[last];
  if (refine_nested_head(c, node, row)) return;
  if (last != node && c.right[last] == kNone) return become(row, DiagnosticCode::MissingBlock);
  become(row, DiagnosticCode::MissingRight);
  move_to(c, row, c.token[last], c.token[last]);
}
// `a if c else b`. Takes the guard; the `else` stands above it.
void refine_guard(const Columns& c, Index node, Diagnostic& row) {
  become(row, DiagnosticCode::ForeignChoice, 0, 0);
  const Index above = parent_of(c, node);
  const bool whole = above != kNone && node_kind(c, above) == Node::Else && c.left[above] == node &&
                     c.right[above] != kNone && c.left[node] != kNone && c.right[node] != kNone;
  if (!whole) return;
  row.a = c.token_start[c.token[node]];
  row.b = c.token_start[c.token[above]];
  const Span all = subtree_span(c, above);
  span(row, all.begin, all.end);
}
// `let Some(x) = o else { … }`. Takes what stands before the `else`; points at the `let`.
bool refine_let_else(const Columns& c, Index node, Diagnostic& row) {
  const Index choice = parent_of(c, node);
  if (choice == kNone || node_kind(c, choice) != Node::Else || c.left[choice] != node) return false;
  const Index binding = parent_of(c, choice);
  if (binding == kNone || node_kind(c, binding) != Node::Assign) return false;
  const Index let = parent_of(c, binding);
  if (let == kNone || node_kind(c, let) != Node::Let) return false;
  become(row, DiagnosticCode::LetElse);
  move_to(c, row, c.token[let], c.token[let]);
  return true;
}
// `let g = |a, v| …`. Takes the comma; points at the bar before it that starts the lambda.
bool refine_lambda(const Columns& c, Index comma, Diagnostic& row) {
  const Index left = c.left[comma];
  for (Index i = c.begin[left]; i < c.end[left]; ++i) {
    if (node_kind(c, i) != Node::LeadingOr) continue;
    become(row, DiagnosticCode::ClosureBars);
    move_to(c, row, c.token[i], c.token[i]);
    return true;
  }
  return false;
}
// `a[i, j]`. Points at the brackets.
bool refine_indices(const Columns& c, Index comma, Diagnostic& row) {
  const Index open = opener_of(c, c.token[comma]);
  const Index close = open == kNone ? kNone : closer_of(c, open);
  const Token before = open == kNone ? Token::Error : token_at(c, i64{open} - 1);
  const bool is_index =
      before == Token::Name || before == Token::RParen || before == Token::RBracket;
  if (close == kNone || token_at(c, open) != Token::LBracket || !is_index) return false;
  row.a = c.token_start[open];
  row.b = end_of(c, close);
  return true;
}
// `(double)(x + 1)`. Takes the parentheses around the type.
bool refine_cast(const Columns& c, Index t, Diagnostic& row) {
  const bool is_cast = token_at(c, t) == Token::LParen && is_type_word(text_of(c, i64{t} + 1)) &&
                       text_of(c, i64{t} + 2) == ")" && text_of(c, i64{t} + 3) == "(";
  const Index close = is_cast ? closer_of(c, t + 3) : kNone;
  if (close == kNone) return false;
  const Token behind = token_at(c, i64{close} + 1);
  become(row, DiagnosticCode::AsConversion, 0,
         behind == Token::Dot || behind == Token::LBracket ? 0 : end_of(c, close));
  move_to(c, row, t, t + 2);
  return true;
}
// `while b > 0:` above `a, b = b, a % b`. Points at the colon, which says more than a comma of its block.
bool refine_comma_of_block(const Columns& c, Index comma, Diagnostic& row) {
  Index first = comma;
  while (first > 0 && comma - first < kLongestLook && !is_first_on_line(c, first)) --first;
  if (first == 0 || token_at(c, i64{first} - 1) != Token::Colon) return false;
  Index head = first - 1;
  while (head > 0 && first - head < kLongestLook && !is_first_on_line(c, head)) --head;
  const Token word = token_at(c, head);
  if (word == Token::Match || (!is_head_word(word) && word != Token::Else)) return false;
  become(row, DiagnosticCode::ColonBlock);
  move_to(c, row, first - 1, first - 1);
  return true;
}
// Takes a comma outside of any list.
void refine_comma(const Columns& c, Index node, Diagnostic& row) {
  Index lowest = node;  // the first of the commas
  while (c.left[lowest] != kNone && node_kind(c, c.left[lowest]) == Node::Comma)
    lowest = c.left[lowest];
  const Index first = c.left[lowest], second = c.right[lowest];
  const Node kind = first == kNone ? Node::None : node_kind(c, first);
  if (kind == Node::Assert)  // the message is missing
    return become(row, DiagnosticCode::AssertMessage, 0, subtree_span(c, node).end);
  if (refine_tuple(c, node, row) || first == kNone) return;
  if (refine_comma_of_block(c, c.token[lowest], row)) return;
  if ((kind != Node::Let && kind != Node::Var) || refine_lambda(c, lowest, row)) return;
  const bool has_value = second != kNone && node_kind(c, second) == Node::Assign;
  become(row, DiagnosticCode::SecondBinding, has_value ? c.token_start[c.token[lowest]] : 0, 0);
  move_to(c, row, c.token[first], c.token[first]);
}

}  // namespace

void refine_prefix(const Columns& c, Index node, Diagnostic& row) {
  const Index t = c.token[node];
  const Node kind = node_kind(c, node);
  if (kind == Node::Let || kind == Node::Var) {
    const Token before = token_at(c, static_cast<i64>(t) - 1);
    if (before != Token::If && before != Token::While) return;
    const Token behind = token_at(c, i64{t} + 2);
    const bool loops = before == Token::While;
    const bool takes_apart = token_at(c, i64{t} + 1) == Token::Name && behind == Token::LParen;
    become(row, !takes_apart ? DiagnosticCode::IfLet
                : loops      ? DiagnosticCode::WhileLetPattern
                             : DiagnosticCode::IfLetPattern);
    return move_to(c, row, t - 1, t);
  }
  const Token before = token_at(c, i64{t} - 1);
  if (before == Token::Else && kind == Node::Return) return put_into_braces(c, t - 1, t, row);
  if (before == Token::Colon) {
    become(row, DiagnosticCode::ColonBlock);
    return move_to(c, row, t - 1, t - 1);
  }
  if (kind != Node::If && kind != Node::Match) return;
  Index whole = node;
  for (Index above = parent_of(c, whole); above != kNone; above = parent_of(c, whole)) {
    const Node around = node_kind(c, above);
    if ((around != Node::Body && around != Node::Else) || c.left[above] != whole) break;
    whole = above;
  }
  row.b = whole == node ? 0 : subtree_span(c, whole).end;
}

bool refine_head_operand(const Columns& c, Index t, Diagnostic& row) {
  Index inner = t;
  for (u32 steps = 0; inner > 0 && steps < kLongestLook; ++steps) {
    const Token before = token_at(c, i64{--inner});
    const bool is_further = inner > 0 && token_at(c, i64{inner} - 1) == Token::Else;
    if (before == Token::Match || (before == Token::If && !is_further)) break;
    if (opens(before) || before == Token::Semi) return false;
    if (!closes(before)) continue;
    const Index open = opener_of(c, inner);
    if (open == kNone) return false;
    inner = open;
  }
  if (token_at(c, inner) != Token::Match && token_at(c, inner) != Token::If) return false;
  const Token head = token_at(c, i64{inner} - 1);
  if (!is_head_word(head) || end_of_blocks(c, inner) != t) return false;
  become(row, DiagnosticCode::PrefixAfterTighter, kOfHead, end_of(c, t - 1));
  move_to(c, row, inner, inner);
  return true;
}

void refine_unexpected(const Columns& c, Index node, Diagnostic& row) {
  const Node kind = node_kind(c, node);
  const Index left = c.left[node], above = parent_of(c, node);
  const Node around = above == kNone ? Node::None : node_kind(c, above);
  const bool is_right = above != kNone && c.right[above] == node;
  if (is_head(kind)) return refine_head(c, node, row);
  const Token before = token_at(c, i64{c.token[node]} - 1);
  if (kind == Node::Let && (before == Token::If || before == Token::While))
    return refine_prefix(c, node, row);
  if (kind == Node::Guard) return refine_guard(c, node, row);
  if (around == Node::For && is_right && kind != Node::Limit)
    return become(row, DiagnosticCode::ForHead);
  if (refine_let_else(c, node, row)) return;
  if (around == Node::Else && is_right) {
    const Index first = c.token[c.begin[node]];
    return put_into_braces(c, c.token[above], first, row);
  }
  if (kind == Node::Assign) {
    if (refine_keyed(c, opener_of(c, c.token[node]), row)) return;
    if (refine_field_colon(c, node, row) || refine_default(c, node, row)) return;
    const Index right = c.right[node];  // `key=x => -x`
    if (right != kNone && node_kind(c, right) == Node::Lambda)
      return become(row, DiagnosticCode::FieldColon, 0, kNoEdit);
    const bool named = around == Node::Paren && parent_of(c, above) != kNone &&
                       node_kind(c, parent_of(c, above)) == Node::Call;
    if (!named && around != Node::Comma) refine_assigned_value(c, node, row);
    return;
  }
  if (refine_in(c, node, row) || refine_tuple_name(c, node, row)) return;
  if (refine_cast(c, c.token[node], row)) return;
  if (refine_function_type(c, c.token[node], row)) return;
  if (kind == Node::Arrow && left != kNone &&
      (node_kind(c, left) == Node::Name || node_kind(c, left) == Node::Paren))
    return become(row, DiagnosticCode::ForeignLambda, 0, 0);
  if (left == kNone) return;
  const Index word = c.token[left];
  if (kind == Node::Call && is_item_or_operator(text_of(c, word))) {
    const bool is_function = find_alias(text_of(c, word))->right == "fn";
    const bool loops = text_of(c, word) == "foreach";  // `foreach (x in xs)`
    const bool matches = text_of(c, word) == "when";   // `when (n) { … }`
    become(row,
           is_function ? DiagnosticCode::ForeignLambda
           : matches   ? DiagnosticCode::ForeignMatch
                       : DiagnosticCode::WordOperator,
           0, loops ? kNoEdit : 0);
    return move_to(c, row, word, word);
  }
  if (kind != Node::Comma || refine_indices(c, node, row)) return;
  refine_comma(c, node, row);
}

}  // namespace komuz::frontend
