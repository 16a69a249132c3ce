// SPDX-License-Identifier: Apache-2.0
// Chains: `xs.map(f).filter(g).fold(a, h)` is one loop over the elements of xs, its source. A source is an array, a
// list, a slice or a range. A step hands its elements on to the operation that is called on it. Every other
// operation ends the chain, and so does a step whose value is used.
#pragma once
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/questions/name_chains.h"
#include "frontend_gpu/questions/signatures.h"
#include "frontend_gpu/questions/type_relations.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD bool is_range(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Range || node_kind(c, i) == Node::RangeInclusive;
}
// The value inside of parentheses that hold nothing else.
HD Index inside_parentheses(const Columns& c, Index value) {
  while (node_kind(c, value) == Node::Paren && c.right[value] != kNone && !has_comma(c, value)) {
    value = c.right[value];
    count_work(c, 1);
  }
  return value;
}

// True if the last argument is a lambda, or a function's name that stands for one.
HD bool stands_for_lambda(const Columns& c, Index argument) {
  return is_lambda(c, argument) || c.role[argument] == Role::Function;
}
// True if an argument is the name of a function. Its reference decides, because its role may become that of a known
// value.
HD bool names_function(const Columns& c, Index argument) {
  if (node_kind(c, argument) != Node::Name) return false;
  const Index ref = c.ref[argument];
  if (ref < kBuiltinRef) return c.bind_kind[ref] == BindKind::Function;
  return is_builtin_function(ref) || is_collection(ref) || is_chain(ref);
}
HD constexpr Index chain_ref(ChainOp operation) {
  return kFirstChain + static_cast<u32>(operation);
}
// The operation `xs.min()` or `xs.min(x => key)`, if the call is no `min(a, b)`.
HD Index least_or_greatest(const Columns& c, Index call, Index ref) {
  const Op op = builtin_row(ref).op;
  if (op != Op::Min && op != Op::Max) return ref;
  const u32 count = count_arguments(c, call);
  if (count == 1) return chain_ref(op == Op::Min ? ChainOp::Min : ChainOp::Max);
  if (count != 2) return ref;
  const Index last = last_argument(c, call);
  if (!is_lambda(c, last) && !names_function(c, last)) return ref;
  return chain_ref(op == Op::Min ? ChainOp::MinByKey : ChainOp::MaxByKey);
}
// The operation among those that share a name, by the number of arguments. For a method it is enough whether it has
// any.
HD Index form_of_operation(const Columns& c, Index call, Index ref) {
  constexpr u64 kWithForms = 1ull << static_cast<u32>(ChainOp::Count) |
                             1ull << static_cast<u32>(ChainOp::Argmin) |
                             1ull << static_cast<u32>(ChainOp::Argmax);
  const Index number = ref - kFirstChain;
  if (number >= kNamedChains || (kWithForms >> number & 1) == 0) return ref;
  const bool counts = ref == chain_ref(ChainOp::Count), least = ref == chain_ref(ChainOp::Argmin);
  const u32 given = call_receiver(c, call) == kNone   ? count_arguments(c, call)
                    : c.right[c.right[call]] != kNone ? 2u
                                                      : 1u;
  if (given != (counts ? 1u : 2u)) return ref;
  return chain_ref(counts  ? ChainOp::CountAll
                   : least ? ChainOp::ArgminByKey
                           : ChainOp::ArgmaxByKey);
}
// The operation on a collection or of a chain that a call names; for other calls, what they call.
HD Index operation_of(const Columns& c, Index call) {
  const Index ref = c.ref[call_name(c, call)];
  if (ref < kBuiltinRef) return ref;
  return is_builtin_function(ref) ? least_or_greatest(c, call, ref)
                                  : form_of_operation(c, call, ref);
}
HD Collection collection_of(Index ref) { return static_cast<Collection>(ref - kFirstCollection); }
// True for Some, None, and questions to an Option.
HD bool is_of_option(Collection operation) { return operation <= Collection::Or; }
HD ChainOp chain_of(Index ref) { return static_cast<ChainOp>(ref - kFirstChain); }
HD bool takes_lambda(ChainOp operation) { return chain_row(operation).lambda != 0; }
// True if its loop starts from the value before it, even if that is the value of a step.
HD bool starts_chain(ChainOp operation) {
  return operation == ChainOp::Reverse || operation == ChainOp::Extend;
}

HD bool is_call_of_value(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Call && node_context(c, i) != Context::Skipped &&
         c.role[i] == role_of(Node::Call);
}
HD bool is_chained_call(const Columns& c, Index i) {
  return is_call_of_value(c, i) && is_chain(operation_of(c, i));
}
// The operation of a chained call.
HD ChainOp chain_operation(const Columns& c, Index call) { return chain_of(operation_of(c, call)); }
HD bool is_step_call(const Columns& c, Index i) {
  return is_chained_call(c, i) && chain_row(chain_operation(c, i)).place == ChainPlace::Step;
}
HD bool is_fold(const Columns& c, Index call) {
  return names_chain(operation_of(c, call), ChainOp::Fold);
}
// True if its second argument is evaluated before the loop. In `fold` and `contains` the argument goes to a slot of
// the operation (kHoisted). In `zip`, an argument without a place goes to slots as a kept value (kKept).
HD bool hoists_argument(Index ref) {
  return names_chain(ref, ChainOp::Fold) || names_chain(ref, ChainOp::Contains) ||
         names_chain(ref, ChainOp::Zip);
}
// The operation whose lambda this node is, or whose lambda this function's name stands for; kNone: there is none.
HD_COLD Index call_of_lambda(const Columns& c, Index lambda) {
  const Index call = call_of_argument(c, lambda);
  const bool known = call != kNone && is_chained_call(c, call) &&
                     takes_lambda(chain_operation(c, call)) && last_argument(c, call) == lambda;
  return known ? call : kNone;
}

// True if the call's loop counts to a number, its first argument.
HD bool counts_up(ChainOp operation) { return operation == ChainOp::Tabulate; }
// The value whose elements the call takes: what stands before the `.`, but the argument of `extend`, which changes
// what stands there.
HD Index chain_source(const Columns& c, Index call) {
  const bool extends = names_chain(operation_of(c, call), ChainOp::Extend);
  const Index source = extends ? last_argument(c, call) : first_argument(c, call);
  return source == kNone ? kNone : inside_parentheses(c, source);
}
// The type of the numbers of a range; kTypeError if it has none.
HD_COLD TypeId range_type(const Columns& c, Index range) {
  if (c.left[range] == kNone || c.right[range] == kNone) return kTypeError;
  const TypeId type = settled(join_types(c, c.type[c.left[range]], c.type[c.right[range]]));
  return is_scalar(type) && is_integer(as_scalar(type)) ? type : kTypeError;
}
// True for a range that a chain runs over.
HD_COLD bool is_range_source(const Columns& c, Index range) {
  Index value = range;
  Index above = parent_of(c, value);
  while (above != kNone && node_kind(c, above) == Node::Paren && c.role[above] != Role::Arguments) {
    count_work(c, 1);
    value = above;
    above = parent_of(c, value);
  }
  if (above == kNone || node_kind(c, above) != Node::Dot ||
      node_context(c, above) != Context::Callee)
    return false;
  const Index call = parent_of(c, above);
  // If the function is unknown, that is reported instead.
  return c.left[above] == value && (c.ref[c.right[above]] == kNone || is_chained_call(c, call));
}
// The elements that a chained call gets: their type, and how many there may be. Slice: the number is not known.
// Tuple: it gets none.
HD_COLD Container chain_input(const Columns& c, Index call) {
  const ChainOp operation = chain_operation(c, call);
  if (counts_up(operation)) return {TypeForm::Slice, false, 0, type_of(Scalar::I64)};
  const Index source = chain_source(c, call);
  if (source == kNone) return {};
  if (is_range(c, source)) {
    const TypeId type = range_type(c, source);
    return {type == kTypeError ? TypeForm::Tuple : TypeForm::Slice, false, 0, type};
  }
  const TypeId type = c.type[source];
  if (!has_elements(c, type)) return {};
  Container own = container_of(c, type);
  own.element = settled(held_type(c, type));
  return own;
}
// The type of the elements that a chained call gets; kTypeError if it gets none.
HD_COLD TypeId chain_element(const Columns& c, Index call) {
  const Container input = chain_input(c, call);
  return has_elements(input.form) ? input.element : kTypeError;
}

// True if only the elements of a step are wanted. The call that gets them is the step's keeper_of.
HD_COLD bool is_consumed(const Columns& c, Index call) {
  return c.want[call] == kTypeInPlace && is_step_call(c, call);
}
// The call that starts the loop: the first one of the chain. The node of the arguments keeps it, as its reference
// is not used for a name, so that calls of a long chain need not search. find_chain_first has to be done with the
// call.
HD Index chain_first(const Columns& c, Index call) { return c.ref[c.right[call]]; }
// What is known of the chain up to the call, in bits of the tails of the arguments. They say nothing of a
// node's own value.
inline constexpr u8 kChainFilters = 32, kChainTakesLambda = 64;
// What is known of the chain behind the call: a `for` gets its elements one by one.
inline constexpr u8 kChainFeedsFor = 128;
HD bool chain_has(const Columns& c, Index call, u8 bit) {
  return (c.tails[c.right[call]] & bit) != 0;
}
HD_COLD void find_chain_first(Columns& c, Index call) {
  const ChainOp operation = chain_operation(c, call);
  const Index source = starts_chain(operation) ? kNone : chain_source(c, call);
  const bool goes_on = source != kNone && is_step_call(c, source);
  const Index arguments = c.right[call];
  c.ref[arguments] = goes_on ? chain_first(c, source) : call;
  const u32 before = goes_on ? u32{c.tails[c.right[source]]} : 0;
  const u32 own = (operation == ChainOp::Filter ? kChainFilters : 0u) |
                  (takes_lambda(operation) ? kChainTakesLambda : 0u);
  c.tails[arguments] =
      static_cast<u8>(c.tails[arguments] | own | (before & (kChainFilters | kChainTakesLambda)));
}
// True if this operation, or one before it in the chain, takes a lambda.
HD_COLD bool has_lambda(const Columns& c, Index call) {
  return chain_has(c, call, kChainTakesLambda);
}
// The node that starts the loop: the one before the first lambda's body, the name that stands for that lambda, or,
// without a lambda, the call itself.
HD_COLD Index chain_start(const Columns& c, Index call) {
  const Index first = chain_first(c, call);
  if (!takes_lambda(chain_operation(c, first))) return first;
  const Index lambda = last_argument(c, first);
  return is_lambda(c, lambda) ? Index{c.left[lambda]} : lambda;
}
// True if the number of the element that an operation gets equals that of the loop.
HD_COLD bool counts_with_loop(const Columns& c, Index call) {
  const Index first = chain_first(c, call);
  if (call != first && chain_has(c, chain_source(c, call), kChainFilters)) return false;
  return counts_up(chain_operation(c, first)) || !is_range(c, chain_source(c, first));
}

// True for an argument in error that belongs to an unknown function, which has been reported.
HD_COLD bool is_said(const Columns& c, Index argument) {
  const Index call = call_of_argument(c, argument);
  return c.want[argument] == kTypeError &&
         (call == kNone || node_kind(c, call) != Node::Call || c.ref[call_name(c, call)] == kNone);
}

// The type that the surroundings of a call expect, as far as their text says; kTypePending: it does not.
HD_COLD TypeId stated_type(const Columns& c, Index i) {
  for (;;) {
    count_work(c, 1);
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
          return declares_result(c, item) ? result_type(c, item) : kTypePending;
        }
        break;
      case Node::Return: {
        const Index item = c.item[above];
        return declares_result(c, item) ? result_type(c, item) : kTypePending;
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
// True for `None`, `[]`, `Some(None)` and the like: the type that they hold is not known.
HD_COLD bool holds_nothing(const Columns& c, TypeId type) {
  while (is_tuple(type) && is_container(form_of(c, type))) type = held_type(c, type);
  return type == kTypeNever;
}
// True if what a type holds in the end comes of elements that have no type in common. The elements report that
// themselves.
HD_COLD bool holds_unlike(const Columns& c, TypeId type) {
  while (is_tuple(type) && is_container(form_of(c, type))) type = held_type(c, type);
  return type == kTypeUnlike;
}
// The type of the value that `fold` carries: the one that is expected of the call, or that of the start.
HD_COLD TypeId fold_type(const Columns& c, Index call) {
  if (count_arguments(c, call) != 3) return kTypeError;
  const TypeId stated = stated_type(c, call);
  if (is_value(stated)) return stated;
  const TypeId start = c.type[argument_at(c, call, 1, 3)];
  const bool known = is_value(start) && !(is_tuple(start) && holds_nothing(c, start));
  return known || start == kTypeUnit ? settled(start) : kTypeError;
}
HD bool is_lambda_pattern(Role role) {
  return role == Role::LambdaName || role == Role::LambdaPattern;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
