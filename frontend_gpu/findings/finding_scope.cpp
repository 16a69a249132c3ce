// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/finding_scope.h"

#include "frontend_gpu/findings/habits/refine_text.h"
#include "frontend_gpu/text/byte_masks.h"
#include "frontend_gpu/tree/tree.h"
#include "mend/aliases.h"
#include "mend/habits/from_forms.h"

namespace komuz::frontend {

namespace {

// `for i = 0; i < n; …` spreads over the statements of its block.
Index block_around(const Columns& c, Index node) {
  Index block = node;
  while (block != kNone && node_kind(c, block) != Node::Block) block = parent_of(c, block);
  return block == kNone ? node : block;
}
// True for the `math` of `math.sqrt(x)`.
bool is_prefix(const Columns& c, Index node) {
  const AliasRow* const row = find_alias(text_of(c, c.token[node]));
  return row != nullptr && row->kind == AliasKind::Prefix;
}
// True for `print("…")` and the like, whose arguments are of no interest.
bool is_advised(const Columns& c, Index node) {
  const AliasRow* const row = find_alias(text_of(c, c.token[node]));
  return row != nullptr && row->right.empty();
}
// The construct that several words of another language stand in. The first of these words speaks for all.
Index construct_of_word(const Columns& c, const Finding& finding, Index parent) {
  const Index node = finding.node;
  if (source_of(c).substr(finding.diagnostic.begin, finding.diagnostic.length) == "case")
    return block_around(c, node);
  return parent != kNone && node_kind(c, parent) == Node::Body ? parent : node;
}
// The arguments around the bars of `|a, v| e`, which stand in two of them.
Index arguments_around(const Columns& c, Index bar, Index parent) {
  if (parent == kNone) return bar;
  if (node_kind(c, parent) == Node::BitOr) return parent;
  Index list = bar;
  for (Index above = parent; above != kNone && node_kind(c, above) == Node::Comma;
       above = parent_of(c, list))
    list = above;
  return list;
}
// The whole argument of a call in which a node stands.
Index argument_around(const Columns& c, Index node) {
  Index argument = node;
  for (Index above = parent_of(c, argument); above != kNone; above = parent_of(c, argument)) {
    const Node around = node_kind(c, above);
    if (around == Node::Comma || around == Node::Paren || around == Node::Block) break;
    argument = above;
  }
  return argument;
}
Index lambda_around(const Columns& c, Index node) {
  Index lambda = node;
  while (lambda != kNone && node_kind(c, lambda) != Node::Lambda) lambda = parent_of(c, lambda);
  return lambda == kNone ? node : lambda;
}
// The parentheses around a parameter.
Index parameters_around(const Columns& c, Index node) {
  Index paren = node;
  while (paren != kNone && node_kind(c, paren) != Node::Paren) paren = parent_of(c, paren);
  return paren == kNone ? node : paren;
}
// True if a finding points at a name, such as that of a function.
bool has_name(const Columns& c, const Finding& finding) {
  return is_word_byte(c.source[finding.diagnostic.begin]);
}
Index call_around(const Columns& c, Index node) {
  Index call = node;
  while (call != kNone && node_kind(c, call) != Node::Call) call = parent_of(c, call);
  return call == kNone ? node : call;
}
bool is_called(const Columns& c, const Finding& finding) {
  return c.source[finding.diagnostic.end()] == '(';
}
bool has_lambda(const Columns& c, Index call) {
  for (Index i = c.begin[call]; i < c.end[call]; ++i)
    if (node_kind(c, i) == Node::Lambda) return true;
  return false;
}
// The `let` around what stands before an `else`.
Index let_around(const Columns& c, Index node) {
  Index let = node;
  while (let != kNone && node_kind(c, let) != Node::Let) let = parent_of(c, let);
  return let == kNone ? node : let;
}

}  // namespace

Index construct_of(const Columns& c, const Finding& finding) {
  const Index node = finding.node;
  if (node == kNone) return kNone;
  const Index parent = parent_of(c, node);
  const Node around = parent == kNone ? Node::None : node_kind(c, parent);
  switch (finding.diagnostic.code()) {
    case DiagnosticCode::NotSupported: return around == Node::Body ? parent : node;
    case DiagnosticCode::UnknownSpace:
    case DiagnosticCode::EmptyChoice: return finding.diagnostic.b != 0 ? node : parent;
    case DiagnosticCode::ForeignChoice: return around == Node::Else ? parent : node;
    case DiagnosticCode::AssignedCondition:
      return node_kind(c, node) == Node::Assign ? node : parent;
    case DiagnosticCode::ForHead:
      return node_kind(c, node) == Node::For ? block_around(c, node) : node;
    case DiagnosticCode::UnknownName:
      // `float('inf')`
      if (around == Node::Call && finding.diagnostic.length > c.token_length[c.token[node]])
        return parent;
      return around == Node::Dot && is_prefix(c, node) ? parent : kNone;
    case DiagnosticCode::RepeatedArray: return node;
    case DiagnosticCode::GridComma:
    case DiagnosticCode::GridIntegers: return parent == kNone ? node : parent;
    case DiagnosticCode::SortParameters:
      return has_name(c, finding) && is_called(c, finding) ? call_around(c, node)
                                                           : lambda_around(c, node);
    case DiagnosticCode::MethodArguments: return has_lambda(c, node) ? node : kNone;
    case DiagnosticCode::ForeignMatch: return construct_of_word(c, finding, parent);
    case DiagnosticCode::DefaultValue: return parameters_around(c, node);
    case DiagnosticCode::ForeignCollection:
    case DiagnosticCode::TupleNames: return arguments_around(c, node, parent);
    case DiagnosticCode::ModuleWithoutUse: return around == Node::Dot ? parent : node;
    case DiagnosticCode::PrefixedModule: {
      const Index above = parent == kNone ? kNone : parent_of(c, parent);
      return above != kNone && node_kind(c, above) == Node::Dot ? above : parent;
    }
    case DiagnosticCode::LetElse: return let_around(c, node);
    case DiagnosticCode::ForeignLambda: return argument_around(c, node);
    case DiagnosticCode::LambdaPlace: return has_name(c, finding) ? call_around(c, node) : kNone;
    case DiagnosticCode::UnknownFunction: {
      // The argument of `n.wrapping_add(a)` is an operand.
      if (!is_advised(c, node) || !operator_of_method(text_of(c, c.token[node])).empty())
        return kNone;
      // The arguments of `f(…)`, and of `xs.f(…)`.
      const Index call = around == Node::Dot ? parent_of(c, parent) : parent;
      return call != kNone && node_kind(c, call) == Node::Call ? call : kNone;
    }
    case DiagnosticCode::RangeCall:
    case DiagnosticCode::PathOperator: return node;
    case DiagnosticCode::RecordLiteral: return around == Node::Body ? parent : node;
    case DiagnosticCode::ForeignFunction:
    case DiagnosticCode::WordOperator: return construct_of_word(c, finding, parent);
    case DiagnosticCode::ClosureBars: return arguments_around(c, node, parent);
    default: return kNone;
  }
}

}  // namespace komuz::frontend
