// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_statements.h"

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_elements.h"
#include "frontend_gpu/tree/tree.h"
#include "mend/mend.h"

namespace komuz::frontend {

namespace {

// `assert(c, "message")`. Takes the parentheses.
bool refine_assert_message(const Columns& c, Index node, Diagnostic& row) {
  const Index above = parent_of(c, node);
  Index comma = node_kind(c, node) == Node::Paren ? Index{c.right[node]} : kNone;
  if (above == kNone || node_kind(c, above) != Node::Assert || comma == kNone ||
      node_kind(c, comma) != Node::Comma)
    return false;
  const u32 end = subtree_span(c, comma).end;
  while (c.left[comma] != kNone && node_kind(c, c.left[comma]) == Node::Comma)
    comma = c.left[comma];
  if (c.left[comma] == kNone) return false;
  become(row, DiagnosticCode::AssertMessage, 0, end);
  move_to(c, row, c.token[comma], c.token[comma]);
  return true;
}

// True if the variable left of an `=` is named behind it in the same operand of `&&` and `||`, as in `a = a + 1`.
// Nobody means that as a comparison.
bool changes_itself(const Columns& c, Index sign) {
  if (token_at(c, sign) != Token::Assign || token_at(c, i64{sign} - 1) != Token::Name ||
      token_at(c, i64{sign} - 2) == Token::Dot)
    return false;
  for (Index t = sign + 1; t < c.tokens && t - sign < kLongestLook; ++t) {
    const Token token = token_at(c, t);
    if (token == Token::Semi || token == Token::LBrace || token == Token::RBrace ||
        token == Token::AndAnd || token == Token::OrOr)
      return false;
    if (token == Token::Name && text_of(c, t) == text_of(c, i64{sign} - 1) &&
        token_at(c, i64{t} - 1) != Token::Dot)
      return true;
  }
  return false;
}

}  // namespace

void become_assigned(const Columns& c, Index sign, Diagnostic& row) {
  become(
      row,
      changes_itself(c, sign) ? DiagnosticCode::AssignedValue : DiagnosticCode::AssignedCondition,
      0, 0);
}

bool refine_example(const Columns& c, Index t, Diagnostic& row) {
  const bool lacks = row.code() == DiagnosticCode::MissingRight;
  if (!lacks && row.code() != DiagnosticCode::NotAnItem) return false;
  Index first = t;  // on its line
  while (first > 0 && (c.token_kind[first] & kFirstOnLine) == 0) --first;
  if (token_at(c, first) != Token::Example || (lacks && t != first + 1)) return false;
  become(row, DiagnosticCode::ExampleForm);
  if (lacks) move_to(c, row, first, t);
  return true;
}

bool refine_unnamed(const Columns& c, Index node, Diagnostic& row) {
  if (c.key[node] >= kKeysPerDepth) return false;
  Index first = c.token[node];
  while (first > 0 && (c.token_kind[first] & kFirstOnLine) == 0) --first;
  const std::string_view word = text_of(c, first);
  if (word != "test" && word != "prop") return false;
  become(row, DiagnosticCode::UnnamedTest);
  move_to(c, row, first, first);
  return true;
}

bool refine_comparison(const Columns& c, Index assign, Diagnostic& row) {
  // `a = b`, and `a /= b`, which Haskell writes for `a != b`.
  const bool assigns = assign != kNone && (node_kind(c, assign) == Node::Assign ||
                                           node_kind(c, assign) == Node::DivAssign);
  const bool is_meant =
      assigns && static_cast<DiagnosticCode>(c.error[assign]) == DiagnosticCode::Mismatch &&
      c.error_a[assign] == brief_of(Scalar::Bool) && c.error_b[assign] == kUnitBrief;
  if (!is_meant) return false;
  become_assigned(c, c.token[assign], row);
  move_to(c, row, c.token[assign], c.token[assign]);
  return true;
}

bool refine_missing_operand(const Columns& c, Index t, Diagnostic& row) {
  const bool declares = token_at(c, t) == Token::Let || token_at(c, t) == Token::Var;
  if (!declares || t == 0 || !is_first_on_line(c, t)) return false;
  const Token before = token_at(c, i64{t} - 1);
  const Act act = token_row(before).act;
  if ((act != Act::Infix && before != Token::Minus) || before == Token::FatArrow) return false;
  become(row, DiagnosticCode::MissingRight, 0, 0);
  move_to(c, row, t - 1, t - 1);
  return true;
}

bool refine_commented_update(const Columns& c, Index node, Diagnostic& row) {
  const u32 end = subtree_span(c, node).end;
  const std::string_view behind = source_of(c).substr(end);
  const size_t mark = behind.find_first_not_of(" \t");
  if (mark == std::string_view::npos || !behind.substr(mark).starts_with("//=")) return false;
  become(row, DiagnosticCode::CommentedUpdate, 0, 0);
  span(row, end + static_cast<u32>(mark), end + static_cast<u32>(mark) + 3);
  return diagnostic_fix(row, source_of(c)).has_value();
}

bool refine_sign_line(const Columns& c, Index let, Diagnostic& row) {
  u32 depth = 0;
  const Index first = c.token[let] + 1;
  for (Index t = first; t < c.tokens && t - first < kLongestLook; ++t) {
    const Token token = token_at(c, t);
    if (depth == 0 && (token == Token::Semi || closes(token))) return false;
    depth += opens(token);
    depth -= closes(token);
    if (depth != 0 || token != Token::Minus || !is_first_on_line(c, t) || !touches_next(c, t))
      continue;
    become(row, DiagnosticCode::SignLine, end_of(c, t - 1), 0);
    move_to(c, row, t, t);
    return true;
  }
  return false;
}

bool refine_own_value(const Columns& c, Index name, Diagnostic& row) {
  const Index let =
      nearest_around(c, name, [](Node kind) { return kind == Node::Let || kind == Node::Var; });
  return let != kNone && text_of(c, i64{c.token[let]} + 1) == text_of(c, c.token[name]) &&
         refine_sign_line(c, let, row);
}

void refine_mismatch(const Columns& c, Index node, Diagnostic& row) {
  if (refine_assert_message(c, node, row)) return;
  if (refine_element_types(c, node, row) || row.b != kUnitBrief) return;
  if (refine_comparison(c, node, row)) return;
  switch (node_kind(c, node)) {
    case Node::Semi: {
      const Index last = last_statement(c, node);
      const bool drops = last != kNone &&
                         static_cast<DiagnosticCode>(c.error[last]) == DiagnosticCode::UnusedValue;
      become(row, drops ? DiagnosticCode::DroppedValue : DiagnosticCode::NoValue);
      return move_to(c, row, c.token[node], c.token[node]);
    }
    case Node::Body: {
      const bool chooses = node_kind(c, c.left[node]) == Node::If;
      become(row, chooses ? DiagnosticCode::IfWithoutElse : DiagnosticCode::NoValue);
      return move_to(c, row, c.token[c.left[node]], c.token[c.left[node]]);
    }
    case Node::Let:
    case Node::Var: return static_cast<void>(refine_sign_line(c, node, row));
    case Node::Block: return become(row, DiagnosticCode::NoValue);
    default: return;
  }
}

bool refine_loop_end(const Columns& c, Index node, Diagnostic& row) {
  const Index body = parent_of(c, node);
  const bool is_body = body != kNone && node_kind(c, body) == Node::Body && c.right[body] == node;
  const Index loop = is_body ? Index{c.left[body]} : kNone;
  if (loop == kNone || token_at(c, c.token[node]) != Token::Minus || c.left[node] == kNone ||
      node_kind(c, c.left[node]) != Node::Block ||
      (node_kind(c, loop) != Node::For && node_kind(c, loop) != Node::While))
    return false;
  become(row, DiagnosticCode::MissingSemicolon, end_of(c, c.token[node] - 1), 0);
  return true;
}

void refine_binding(const Columns& c, Index node, Diagnostic& row) {
  if (node_kind(c, node) != Node::Colon || c.left[node] == kNone) return;
  move_to(c, row, c.token[c.left[node]], c.token[c.left[node]]);
  const Index type = c.right[node];
  if (type == kNone || node_kind(c, type) != Node::Name) return;
  row.a = c.token_start[c.token[type]];
  row.b = c.token_length[c.token[type]];
}

void refine_return(const Columns& c, Index t, Diagnostic& row) {
  // A test or a property has no function around it; the one before it is another item.
  const auto begins_item = [&](Index at) {
    const Token token = token_at(c, at);
    return token == Token::Fn || token == Token::Test || token == Token::Prop;
  };
  Index fn = t;
  while (fn > 0 && t - fn < kLongestBrackets && !begins_item(fn)) --fn;
  Index arrow = fn;
  while (arrow < t && token_at(c, arrow) != Token::Arrow && token_at(c, arrow) != Token::LBrace)
    ++arrow;
  const bool gives_nothing = token_at(c, fn) == Token::Fn && token_at(c, arrow) == Token::Arrow &&
                             text_of(c, i64{arrow} + 1) == "(" && text_of(c, i64{arrow} + 2) == ")";
  if (!gives_nothing) row.b = kNoEdit;
}

Index last_statement(const Columns& c, Index semi) {
  const Index left = c.left[semi];
  if (node_kind(c, semi) != Node::Semi || c.right[semi] != kNone || left == kNone) return kNone;
  return node_kind(c, left) == Node::Semi ? c.right[left] : left;
}

}  // namespace komuz::frontend
