// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/refine.h"

#include <string_view>

#include "frontend_gpu/collect.h"
#include "frontend_gpu/tree.h"
#include "lang/aliases.h"

namespace komuz::frontend {

namespace {

std::string_view text_of(const Columns& c, i64 t) {
  if (t < 0 || t >= static_cast<i64>(c.tokens)) return {};
  return {reinterpret_cast<const char*>(token_text(c, static_cast<Index>(t))), c.token_length[t]};
}

void become(Diagnostic& row, DiagnosticCode code) {
  row = make_diagnostic(code, row.begin, row.length, row.a, row.b);
}
void move_to(const Columns& c, Diagnostic& row, Index first, Index last) {
  const u32 begin = c.token_start[first], end = c.token_start[last] + c.token_length[last];
  row = make_diagnostic(row.code(), begin, end - begin, row.a, row.b);
}

bool is_item_or_operator(std::string_view word) {
  const AliasRow* const row = find_alias(word);
  return row != nullptr && (row->kind == AliasKind::Item || row->kind == AliasKind::Operator);
}

// A character of no token: `#` before an attribute, or before a comment of another language.
void refine_character(const Columns& c, Index t, Diagnostic& row) {
  const std::string_view behind = text_of(c, static_cast<i64>(t) + 1);
  const bool attribute = behind == "[" || behind == "!";
  if (text_of(c, t) != "#")
    become(row, DiagnosticCode::BadCharacter);
  else
    become(row, attribute ? DiagnosticCode::AttributeOrLabel : DiagnosticCode::ForeignComment);
  move_to(c, row, t, attribute ? t + 1 : t);
}

// Where the operand that ends with a token starts: a name or a literal with its fields, calls and brackets. kNone: too far
// away for who asks of each of many tokens.
Index operand_start(const Columns& c, Index last) {
  constexpr u32 kLongestOperand = 1024;
  const Index end = last < kLongestOperand ? 0 : last - kLongestOperand;
  Index t = last;
  while (t > 0) {
    if (end != 0 && t <= end) return kNone;
    if (token_at(c, t) == Token::RParen || token_at(c, t) == Token::RBracket) {
      u32 depth = 0;
      for (;; --t) {
        const Token token = token_at(c, t);
        depth += token == Token::RParen || token == Token::RBracket;
        depth -= token == Token::LParen || token == Token::LBracket;
        if (depth == 0 || t == end) break;  // the text's start: nothing opens it
      }
      if (depth != 0 && end != 0) return kNone;
      const Token before = t > 0 ? token_at(c, static_cast<i64>(t) - 1) : Token::Error;
      if (before != Token::Name && before != Token::RParen && before != Token::RBracket) return t;
      --t;
    } else if (token_at(c, static_cast<i64>(t) - 1) == Token::Dot && t > 1) {
      t -= 2;
    } else {
      return t;
    }
  }
  return t;
}

// Two operands without an operator between them.
void refine_neighbours(const Columns& c, Index t, Diagnostic& row) {
  if (token_at(c, t) == Token::Error) return refine_character(c, t, row);
  if (t > 0 && token_at(c, static_cast<i64>(t) - 1) == Token::Error)
    return refine_character(c, t - 1, row);
  const std::string_view word = text_of(c, t), before = text_of(c, static_cast<i64>(t) - 1);
  if (word == "as") {
    const Index operand = t > 0 ? operand_start(c, t - 1) : kNone;
    row.a = operand != kNone ? c.token_start[operand] + 1 : 0;  // one based, for the fix
    return become(row, DiagnosticCode::AsConversion);
  }
  if (token_at(c, t) == Token::Char && !word.ends_with('\''))  // `break 'outer`
    return become(row, DiagnosticCode::AttributeOrLabel);
  if (word == "step") return become(row, DiagnosticCode::StepOfRange);
  if (is_item_or_operator(word)) return become(row, DiagnosticCode::WordOperator);
  if (before == "mut" && text_of(c, static_cast<i64>(t) - 2) == "let") {
    become(row, DiagnosticCode::LetMut);
    return move_to(c, row, t - 2, t - 1);
  }
  if (is_item_or_operator(before)) {
    become(row, DiagnosticCode::WordOperator);
    move_to(c, row, t - 1, t - 1);
  }
}

// `/*` and `*/`: comments of other languages.
bool refine_comment(const Columns& c, Index t, Diagnostic& row) {
  for (const i64 slash : {static_cast<i64>(t), static_cast<i64>(t) - 1}) {  // its first half
    const std::string_view a = text_of(c, slash), b = text_of(c, slash + 1);
    if (!(a == "/" && b == "*") && !(a == "*" && b == "/")) continue;
    const Index first = static_cast<Index>(slash);
    if (c.token_start[first] + 1 != c.token_start[first + 1]) continue;
    become(row, DiagnosticCode::ForeignComment);
    move_to(c, row, first, first + 1);
    return true;
  }
  return false;
}

// `x++`, `--x`: two signs that touch.
void refine_sign(const Columns& c, Index t, Diagnostic& row) {
  for (const i64 other : {static_cast<i64>(t) - 1, static_cast<i64>(t) + 1}) {
    const std::string_view sign = text_of(c, t);
    if ((sign != "+" && sign != "-") || text_of(c, other) != sign) continue;
    const Index first = other < static_cast<i64>(t) ? t - 1 : t;
    if (c.token_start[first] + 1 != c.token_start[first + 1]) continue;
    become(row, DiagnosticCode::IncrementOperator);
    return move_to(c, row, first, first + 1);
  }
}

// `if let` and `while let`; `a + if …`, whose fix puts the whole `if … { } else { }` into parentheses.
void refine_prefix(const Columns& c, Index node, Diagnostic& row) {
  const Index t = c.token[node];
  const Node kind = node_kind(c, node);
  if (kind == Node::Let || kind == Node::Var) {
    const Token before = token_at(c, static_cast<i64>(t) - 1);
    if (before != Token::If && before != Token::While) return;
    become(row, DiagnosticCode::IfLet);
    return move_to(c, row, t - 1, t);
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

bool is_head(Node kind) {
  return kind == Node::If || kind == Node::While || kind == Node::For || kind == Node::Match;
}
// `while x > { … }`: the block is no body where an operand is missing before it. `let while = 1`: it is no name.
void refine_head(const Columns& c, Index node, Diagnostic& row) {
  const Index above = parent_of(c, node);
  if (above != kNone && c.left[above] == node) {
    const Node around = node_kind(c, above);
    if (around == Node::Body) return;
    const bool names = around == Node::Assign || around == Node::Colon;
    if (names && c.right[node] == kNone) return become(row, DiagnosticCode::ReservedWord);
  }
  Index last = node;
  while (c.right[last] != kNone && node_kind(c, c.right[last]) != Node::Block) last = c.right[last];
  if (last != node && c.right[last] == kNone) return become(row, DiagnosticCode::MissingBlock);
  become(row, DiagnosticCode::MissingRight);
  move_to(c, row, c.token[last], c.token[last]);
}

}  // namespace

void refine(const Columns& c, Index node, Diagnostic& row) {
  const Index t = c.token[node];
  switch (row.code()) {
    case DiagnosticCode::ExpectedOperator: return refine_neighbours(c, t, row);
    case DiagnosticCode::BlockOperand:
    case DiagnosticCode::MissingLeft:
    case DiagnosticCode::MissingRight:
      if (!refine_comment(c, t, row)) refine_sign(c, t, row);
      return;
    case DiagnosticCode::NotAnItem:
      if (refine_comment(c, t, row)) return;
      if (t > 0 && text_of(c, static_cast<i64>(t) - 1) == "#")
        return refine_character(c, t - 1, row);
      if (token_at(c, t) == Token::Error) return refine_character(c, t, row);
      if (is_item_or_operator(text_of(c, t))) become(row, DiagnosticCode::WordOperator);
      return;
    case DiagnosticCode::PrefixAfterTighter: return refine_prefix(c, node, row);
    case DiagnosticCode::RecordLiteral:
    case DiagnosticCode::UnknownFunction: {
      const AliasRow* const alias = find_alias(text_of(c, t));
      if (alias != nullptr && alias->kind != AliasKind::Type)
        become(row, DiagnosticCode::WordOperator);
      return;
    }
    case DiagnosticCode::NotSupported:  // `?x[a, b]` is no list
      if (node_kind(c, node) != Node::Index || node_kind(c, c.left[node]) != Node::Hole) return;
      row.a = kFeatureHoles;
      return move_to(c, row, c.token[c.left[node]], c.token[c.left[node]]);
    case DiagnosticCode::ChainedComparison: {
      // What stands between the two operators, for the fix.
      const Index left = c.left[node];
      if (left == kNone || c.right[left] == kNone) return;
      const Span middle = subtree_span(c, c.right[left]);
      row.a = middle.begin;
      row.b = middle.end - middle.begin;
      return;
    }
    case DiagnosticCode::NotVariable: {
      // The `let` that could be a `var`, one based; 0 for parameters and loop variables.
      const Index owner = c.owner[row.a];
      const bool is_let = owner != kNone && node_kind(c, owner) == Node::Let;
      row.a = is_let ? c.token_start[c.token[owner]] + 1 : 0;
      return;
    }
    case DiagnosticCode::Unexpected:
      if (is_head(node_kind(c, node))) return refine_head(c, node, row);
      if (node_kind(c, node) == Node::Call && c.left[node] != kNone &&
          is_item_or_operator(text_of(c, c.token[c.left[node]]))) {
        become(row, DiagnosticCode::WordOperator);
        return move_to(c, row, c.token[c.left[node]], c.token[c.left[node]]);
      }
      if (node_kind(c, node) == Node::Comma && c.left[node] != kNone &&
          node_kind(c, c.left[node]) == Node::Assert)
        become(row, DiagnosticCode::AssertMessage);
      return;
    default: return;
  }
}

bool follows_from(const Columns& c, const Diagnostic& earlier, const Diagnostic& row) {
  if (earlier.begin == row.begin && earlier.code_bits == row.code_bits) return true;
  if (row.code() != DiagnosticCode::ExpectedOperator && row.code() != DiagnosticCode::NotAnItem)
    return false;
  const DiagnosticCode cause = earlier.code();
  const bool neighbours =
      cause == DiagnosticCode::ExpectedOperator || cause == DiagnosticCode::BadCharacter ||
      cause == DiagnosticCode::AsConversion || cause == DiagnosticCode::ForeignComment ||
      cause == DiagnosticCode::AttributeOrLabel || cause == DiagnosticCode::StepOfRange ||
      cause == DiagnosticCode::WordOperator || cause == DiagnosticCode::LetMut;
  if (!neighbours) return false;
  for (u32 at = earlier.begin; at < row.begin; ++at)
    if (c.source[at] == '\n') return false;
  return true;
}

}  // namespace komuz::frontend
