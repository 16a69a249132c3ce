// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_ends.h"

#include <algorithm>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/questions/chains.h"
#include "frontend_gpu/questions/patterns.h"
#include "lang/diagnostic_types.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

bool is_option_brief(const Columns& c, u32 type) {
  return type_text(type, source_of(c)).starts_with("Option[");
}

// True for `s.pop()` and the like.
bool is_end(const Columns& c, Index call) {
  if (!is(c, call, Node::Call) || c.left[call] == kNone || call_receiver(c, call) == kNone)
    return false;
  const Index name = call_name(c, call);
  if (!is(c, name, Node::Name)) return false;
  const Index ref = c.ref[name];
  return names_collection(ref, Collection::First) || names_collection(ref, Collection::Last) ||
         names_collection(ref, Collection::Pop) || names_collection(ref, Collection::Get);
}

// An element that is a scalar, or a tuple of scalars of one type: which type, and how many. Both are 0 for other
// elements.
struct ScalarParts {
  u32 scalar = 0, count = 0;
};
ScalarParts parts_of_element(const Columns& c, Index list) {
  const TypeId type = c.type[inside_parentheses(c, list)];
  if (!has_elements(c, type)) return {};
  const TypeId held = settled(held_type(c, type));
  if (is_scalar(held)) return {static_cast<u32>(as_scalar(held)), 1};
  if (!is_tuple(held) || form_of(c, held) != TypeForm::Tuple) return {};
  const u32 count = count_parts(c, held);
  const TypeId first = settled(field_type(c, held, 0));
  if (!is_scalar(first) || count > 8) return {};
  for (u32 k = 1; k < count; ++k)
    if (settled(field_type(c, held, k)) != first) return {};
  return {static_cast<u32>(as_scalar(first)), count};
}

// True if `Some` or `None` stands there.
bool speaks_of_options(const Columns& c, Index node) {
  if (node == kNone) return false;
  const Span all = subtree_span(c, node);
  const std::string_view text = source_of(c).substr(all.begin, all.end - all.begin);
  return text.find("None") != std::string_view::npos ||
         text.find("Some(") != std::string_view::npos;
}

// True if a name is treated as an Option: `b.or(0)`, `match b { Some(x) => … }`, `b == None`.
bool is_asked(const Columns& c, Index name) {
  const Index above = parent_of(c, name);
  if (above == kNone) return false;
  const Index t = c.token[name];
  if (is(c, above, Node::Dot) && c.left[above] == name)
    return is_among(text_of(c, i64{t} + 2), {"or", "is_some", "is_none"});
  const bool is_match = is(c, above, Node::Match);
  const bool looks = is_match || is(c, above, Node::Eq) || is(c, above, Node::Ne);
  return looks && speaks_of_options(c, is_match ? parent_of(c, above) : above);
}
// True if a variable is treated as an Option anywhere. Only its first uses are looked at.
bool is_ever_asked(const Columns& c, Index ref) {
  constexpr u32 kMostUses = 256;
  const auto begin = c.use_node, end = c.use_node + c.uses;
  const auto first = std::lower_bound(begin, end, c.bind_node[ref]);
  for (auto use = first; use != end && use - first < kMostUses; ++use)
    if (c.ref[*use] == ref && is_asked(c, *use)) return true;
  return false;
}

Index end_behind(const Columns& c, Index value);

// True if a name stands for a part of what a `match` looks at.
bool is_pattern_bound(const Columns& c, Index name) {
  const Index ref = c.ref[name];
  return ref < kBuiltinRef && c.bind_kind[ref] == BindKind::Pattern;
}
// The call among the arguments of a built-in function whose result has its arguments' type: `abs(s.pop())`.
Index end_among_arguments(const Columns& c, Index call) {
  if (c.left[call] == kNone || call_name(c, call) == kNone) return kNone;
  if (!is_builtin_function(c.ref[call_name(c, call)])) return kNone;
  ArgumentsBackwards arguments(c, call);
  for (Index e = arguments.next(); e != kNone; e = arguments.next()) {
    const Index value = inside_parentheses(c, e);
    if (is_end(c, value)) return value;
    if (!is(c, value, Node::Name)) continue;
    if (const Index end = end_behind(c, value); end != kNone) return end;
  }
  return kNone;
}
// The call whose value a pattern is matched with.
Index end_matched(const Columns& c, Index pattern) {
  const Index owner = c.owner[pattern];
  Index value = kNone;
  if (is(c, owner, Node::Let) || is(c, owner, Node::Var)) {
    const Index assign = c.right[owner];
    value = is(c, assign, Node::Assign) ? Index{c.right[assign]} : kNone;
  } else if (is(c, owner, Node::Lambda) && !is_lambda(c, owner) && c.left[owner] == pattern) {
    const Index match = match_of_arm(c, owner);
    const bool looks = is(c, match, Node::Match) && !speaks_of_options(c, parent_of(c, match));
    value = looks ? Index{c.right[match]} : kNone;
  }
  if (value == kNone) return kNone;
  value = inside_parentheses(c, value);
  const bool is_plain = is_end(c, value) || is(c, value, Node::Name);
  return is_plain && !(is(c, value, Node::Name) && is_pattern_bound(c, value))
             ? end_behind(c, value)
             : kNone;
}

// The call that a value is, or to which the variable is bound that the value names; kNone: it is something else.
Index end_behind(const Columns& c, Index value) {
  if (value == kNone) return kNone;
  value = inside_parentheses(c, value);
  if (is_end(c, value)) return value;
  if (is(c, value, Node::Call)) return end_among_arguments(c, value);
  if (!is(c, value, Node::Name)) return kNone;
  const Index ref = c.ref[value];
  if (ref >= kBuiltinRef || ref == kNone) return kNone;
  if (c.bind_kind[ref] == BindKind::Pattern) return end_matched(c, c.bind_node[ref]);
  if (c.bind_kind[ref] != BindKind::Let && c.bind_kind[ref] != BindKind::Var) return kNone;
  const Index name = c.bind_node[ref], binder = c.owner[name];
  const Index assign = binder == kNone ? kNone : Index{c.right[binder]};
  if (!is(c, assign, Node::Assign) || c.left[assign] != name || c.right[assign] == kNone)
    return kNone;
  const Index call = inside_parentheses(c, c.right[assign]);
  return is_end(c, call) && !is_ever_asked(c, ref) ? call : kNone;
}
Index first_end(const Columns& c, std::initializer_list<Index> values) {
  for (const Index value : values)
    if (const Index call = end_behind(c, value); call != kNone) return call;
  return kNone;
}

// For a literal where an Option is wanted: the call that stands beside it.
Index end_beside(const Columns& c, Index node) {
  const Index above = parent_of(c, node);
  if (above == kNone) return kNone;
  if (is(c, above, Node::Comma)) {
    const Index call = call_of_argument(c, node);
    if (!is(c, call, Node::Call) || c.ref[call_name(c, call)] < kBuiltinRef) return kNone;
    ArgumentsBackwards arguments(c, call);
    for (Index e = arguments.next(); e != kNone; e = arguments.next())
      if (const Index end = end_behind(c, e); end != kNone) return end;
    return kNone;
  }
  const bool compares = is(c, above, Node::Eq) || is(c, above, Node::Ne);
  return compares ? first_end(c, {c.left[above], c.right[above]}) : kNone;
}
// True if, by the code and the types in the row, an Option may have been taken for an element.
bool may_be_of_end(const Columns& c, DiagnosticCode code, u32 a, u32 b) {
  switch (code) {
    case DiagnosticCode::Mismatch:
    case DiagnosticCode::OperandTypes: return is_option_brief(c, a) != is_option_brief(c, b);
    case DiagnosticCode::IndexType:
    case DiagnosticCode::OperatorType:
    case DiagnosticCode::NotIndexable:
    case DiagnosticCode::NotATuple:
    case DiagnosticCode::PatternMismatch:
    case DiagnosticCode::ArgumentType: return is_option_brief(c, a);
    case DiagnosticCode::ForHead: return true;
    default: return false;
  }
}
// True for `xs.first().map(x => x + 1)`: Options have `map` in other languages. The element itself has no elements.
bool maps_option(const Columns& c, Index call) {
  if (c.left[call] == kNone || call_receiver(c, call) == kNone) return false;
  const Index receiver = inside_parentheses(c, call_receiver(c, call));
  if (!is_end(c, receiver) || !is_among(text_of(c, c.token[call_name(c, call)]), {"map", "filter"}))
    return false;
  const TypeId list = c.type[inside_parentheses(c, call_receiver(c, receiver))];
  return has_elements(c, list) && !has_elements(c, settled(held_type(c, list)));
}
Index find_end(const Columns& c, Index node, const Diagnostic& row) {
  if (!may_be_of_end(c, row.code(), row.a, row.b)) return kNone;
  switch (row.code()) {
    case DiagnosticCode::Mismatch:
      return is_option_brief(c, row.b) ? end_behind(c, node) : end_beside(c, node);
    case DiagnosticCode::IndexType:
    case DiagnosticCode::ForHead: return end_behind(c, node);
    case DiagnosticCode::OperandTypes:
      return end_behind(c, is_option_brief(c, row.a) ? c.left[node] : c.right[node]);
    case DiagnosticCode::OperatorType: return first_end(c, {c.left[node], c.right[node]});
    case DiagnosticCode::NotIndexable:
    case DiagnosticCode::NotATuple: return end_behind(c, c.left[node]);
    case DiagnosticCode::PatternMismatch: return end_matched(c, node);
    case DiagnosticCode::ArgumentType: {
      if (!is(c, node, Node::Call) || maps_option(c, node)) return kNone;
      ArgumentsBackwards arguments(c, node);
      for (Index e = arguments.next(); e != kNone; e = arguments.next())
        if (const Index end = end_behind(c, e); end != kNone) return end;
      return kNone;
    }
    default: return kNone;
  }
}

}  // namespace

bool may_refine_ends(const Columns& c) {
  count_work(c, c.nodes);
  bool reads_end = false, is_wrong = false;
  for (Index i = 0; i < c.nodes && !(reads_end && is_wrong); ++i) {
    const auto code = static_cast<DiagnosticCode>(c.error[i]);
    is_wrong |= c.error[i] != 0 && may_be_of_end(c, code, c.error_a[i], c.error_b[i]);
    const Index t = c.token[i];
    reads_end |= node_kind(c, i) == Node::Name && token_at(c, i64{t} + 1) == Token::LParen &&
                 is_among(text_of(c, t), {"first", "last", "pop", "get"});
  }
  return reads_end && is_wrong;
}

bool refine_end(const Columns& c, Index node, Diagnostic& row) {
  if (c.ref == nullptr) return false;  // may_refine_ends has told that there is no end
  const Index call = find_end(c, node, row);
  if (call == kNone) return false;
  const ScalarParts parts = parts_of_element(c, call_receiver(c, call));
  const Span all = subtree_span(c, call);
  become(row, DiagnosticCode::OptionForElement, parts.scalar, parts.count);
  span(row, all.begin, all.end);
  return true;
}

}  // namespace komuz::frontend
