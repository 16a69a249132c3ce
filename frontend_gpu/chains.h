// SPDX-License-Identifier: Apache-2.0
// Chains: `xs.map(f).filter(g).fold(a, h)` is one loop over the elements of xs, its source. `map` and `filter` are steps,
// which hand elements on to what is called on them; every other operation, and a step whose value is used, ends the chain.
#pragma once
#include "frontend_gpu/arguments.h"
#include "frontend_gpu/name_chains.h"
#include "frontend_gpu/signatures.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The operation on a collection that a call names; of what else it calls, that.
HD Index operation_of(const Columns& c, Index call) {
  const Index ref = c.ref[call_name(c, call)];
  if (ref < kBuiltinRef || ref - kBuiltinRef >= kBuiltinCount) return ref;
  const Op op = builtin_row(ref).op;  // `xs.min()`, not `min(a, b)`
  if ((op != Op::Min && op != Op::Max) || count_arguments(c, call) != 1) return ref;
  return kFirstCollection + static_cast<u32>(op == Op::Min ? Collection::Min : Collection::Max);
}
HD Collection collection_of(Index ref) { return collection_row(ref - kFirstCollection).operation; }
HD bool is_chained(Collection operation) { return operation >= Collection::Map; }
HD bool is_step(Collection operation) {
  return operation == Collection::Map || operation == Collection::Filter;
}
HD bool takes_lambda(Collection operation) {
  return operation >= Collection::Map && operation <= Collection::Find;
}
HD bool is_call_of_value(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Call && node_context(c, i) != Context::FnCall &&
         node_context(c, i) != Context::Skipped && c.role[i] == role_of(Node::Call);
}
HD bool is_chained_call(const Columns& c, Index i) {
  if (!is_call_of_value(c, i)) return false;
  const Index ref = operation_of(c, i);
  return is_collection(ref) && is_chained(collection_of(ref));
}
HD bool is_step_call(const Columns& c, Index i) {
  return is_chained_call(c, i) && is_step(collection_of(operation_of(c, i)));
}
HD bool is_fold(const Columns& c, Index call) {
  return names_collection(operation_of(c, call), Collection::Fold);
}
// The call that a node is an argument of; kNone of what is none.
HD_COLD Index call_of_argument(const Columns& c, Index i) {
  Index above = parent_of(c, i);
  while (above != kNone &&
         (node_kind(c, above) == Node::Comma || node_kind(c, above) == Node::Paren))
    above = parent_of(c, above);
  return above;
}
// The type of the elements that a chained call gets; kTypeError if it gets none.
HD_COLD TypeId chain_element(const Columns& c, Index call) {
  const Index source = first_argument(c, call);
  const TypeId type = source == kNone ? kTypeError : TypeId{c.type[source]};
  return has_elements(c, type) ? settled(held_type(c, type)) : kTypeError;
}

// Are only its elements wanted? The call that gets them is its keeper_of.
HD_COLD bool is_consumed(const Columns& c, Index call) {
  return c.want[call] == kTypeInPlace && is_step_call(c, call);
}
HD_COLD Index chain_first(const Columns& c, Index call) {
  for (Index source = first_argument(c, call); is_step_call(c, source);
       source = first_argument(c, call))
    call = source;
  return call;
}
// The node that starts the loop: before the first lambda's body, or, without any, the call itself.
HD_COLD Index chain_start(const Columns& c, Index call) {
  const Index first = chain_first(c, call);
  const bool lambda = takes_lambda(collection_of(operation_of(c, first)));
  return lambda ? Index{c.left[last_argument(c, first)]} : first;
}

// What the surroundings of a call expect of it, as far as its text says; pending: it does not.
HD_COLD TypeId stated_type(const Columns& c, Index i) {
  for (;;) {
    const Index above = parent_of(c, i);
    if (above == kNone) return kTypePending;
    switch (node_kind(c, above)) {
      case Node::Paren:
        if (c.role[above] == Role::Arguments || has_comma(c, above)) return kTypePending;
        break;
      case Node::Block: break;
      case Node::Else: break;
      case Node::Semi:
        if (c.right[above] != i) return kTypePending;
        break;
      case Node::Comma:
        if (node_context(c, above) != Context::MatchArms) return kTypePending;
        break;
      case Node::Lambda:
        if (is_lambda(c, above) || c.right[above] != i) return kTypePending;
        break;
      case Node::Body:
        if (c.right[above] != i) return kTypePending;
        if (node_context(c, above) == Context::Item) {
          const Index item = c.item[above];
          const bool function = c.item_kind[item] == ItemKind::Function && has_signature(c, item);
          return function ? result_type(c, item) : kTypePending;
        }
        break;
      case Node::Return: {
        const Index item = c.item[above];
        const bool function = c.item_kind[item] == ItemKind::Function && has_signature(c, item);
        return function ? result_type(c, item) : kTypePending;
      }
      case Node::Assign: {
        const Index target = c.left[above];
        if (c.role[above] != Role::Binding || node_kind(c, target) != Node::Colon)
          return kTypePending;
        return declared_type(c, c.right[target]);
      }
      default: return kTypePending;
    }
    i = above;
  }
}
// `None` and `[]`, of which it is not known what they hold.
HD bool holds_nothing(const Columns& c, TypeId type) {
  return is_container(form_of(c, type)) && held_type(c, type) == kTypeNever;
}
// The type of what `fold` carries along: what is expected of it, else that of its start.
HD_COLD TypeId fold_type(const Columns& c, Index call) {
  if (count_arguments(c, call) != 3) return kTypeError;
  const TypeId stated = stated_type(c, call);
  if (is_value(stated)) return stated;
  const TypeId start = c.type[argument_at(c, call, 1, 3)];
  const bool known = is_value(start) && !(is_tuple(start) && holds_nothing(c, start));
  return known ? settled(start) : kTypeError;
}
HD bool is_lambda_pattern(Role role) {
  return role == Role::LambdaName || role == Role::LambdaPattern;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
