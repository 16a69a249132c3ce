// SPDX-License-Identifier: Apache-2.0
// Chains: `xs.map(f).filter(g).fold(a, h)` is one loop over the elements of xs, its source. A source is an array, a list, a
// slice or a range. A step hands elements on to what is called on it; every other operation, and a step whose value is used,
// ends the chain.
#pragma once
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/questions/name_chains.h"
#include "frontend_gpu/questions/signatures.h"
#include "frontend_gpu/questions/type_relations.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD bool is_range(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Range || node_kind(c, i) == Node::RangeInclusive;
}
// What parentheses around a single value hold.
HD Index inside_parentheses(const Columns& c, Index value) {
  while (node_kind(c, value) == Node::Paren && c.right[value] != kNone && !has_comma(c, value)) {
    value = c.right[value];
    count_work(c, 1);
  }
  return value;
}

// Does what stands as a lambda, the last argument, stand for one?
HD bool stands_for_lambda(const Columns& c, Index argument) {
  return is_lambda(c, argument) || c.role[argument] == Role::Function;
}
// Does a name that is an argument stand for a function? By what it refers to: its role may become that of a known value.
HD bool names_function(const Columns& c, Index argument) {
  if (node_kind(c, argument) != Node::Name) return false;
  const Index ref = c.ref[argument];
  if (ref < kBuiltinRef) return c.bind_kind[ref] == BindKind::Function;
  return is_builtin_function(ref) || is_collection(ref) || is_chain(ref);
}
HD constexpr Index chain_ref(ChainOp operation) {
  return kFirstChain + static_cast<u32>(operation);
}
// `xs.min()` and `xs.min(x => key)`, not `min(a, b)`.
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
// Which one of those with its name, by the number of arguments; of a method it is enough whether its parentheses hold any.
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
// The operation on a collection or of a chain that a call names; of what else it calls, that.
HD Index operation_of(const Columns& c, Index call) {
  const Index ref = c.ref[call_name(c, call)];
  if (ref < kBuiltinRef) return ref;
  return is_builtin_function(ref) ? least_or_greatest(c, call, ref)
                                  : form_of_operation(c, call, ref);
}
HD Collection collection_of(Index ref) { return static_cast<Collection>(ref - kFirstCollection); }
// Some, None, or asked of an Option?
HD bool is_of_option(Collection operation) { return operation <= Collection::Or; }
HD ChainOp chain_of(Index ref) { return static_cast<ChainOp>(ref - kFirstChain); }
HD bool takes_lambda(ChainOp operation) { return chain_row(operation).lambda != 0; }
// Does its loop start from the value before it, even where that is a step's?
HD bool starts_chain(ChainOp operation) {
  return operation == ChainOp::Reverse || operation == ChainOp::Extend;
}

HD bool is_call_of_value(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Call && node_context(c, i) != Context::FnCall &&
         node_context(c, i) != Context::Skipped && c.role[i] == role_of(Node::Call);
}
HD bool is_chained_call(const Columns& c, Index i) {
  return is_call_of_value(c, i) && is_chain(operation_of(c, i));
}
// Of a chained call.
HD ChainOp chain_operation(const Columns& c, Index call) { return chain_of(operation_of(c, call)); }
HD bool is_step_call(const Columns& c, Index i) {
  return is_chained_call(c, i) && chain_row(chain_operation(c, i)).place == ChainPlace::Step;
}
HD bool is_fold(const Columns& c, Index call) {
  return names_chain(operation_of(c, call), ChainOp::Fold);
}
// Is its second argument evaluated before the loop? That of `fold` and `contains` goes to a slot of theirs (kHoisted), that
// of `zip`, where it has no place, as what is kept (kKept).
HD bool hoists_argument(Index ref) {
  return names_chain(ref, ChainOp::Fold) || names_chain(ref, ChainOp::Contains) ||
         names_chain(ref, ChainOp::Zip);
}
// The operation whose lambda a node is, or for whose lambda a function's name stands; kNone: it is no operation's.
HD_COLD Index call_of_lambda(const Columns& c, Index lambda) {
  const Index call = call_of_argument(c, lambda);
  const bool known = call != kNone && is_chained_call(c, call) &&
                     takes_lambda(chain_operation(c, call)) && last_argument(c, call) == lambda;
  return known ? call : kNone;
}

// Does the call's loop count to a number that is its first argument?
HD bool counts_up(ChainOp operation) { return operation == ChainOp::Tabulate; }
// What stands before the `.`; of `extend`, which changes that, what it takes the elements of.
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
// Is it a range that a chain runs over?
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
  // Where nobody knows the function, that is said.
  return c.left[above] == value && (c.ref[c.right[above]] == kNone || is_chained_call(c, call));
}
// The elements that a chained call gets: their type, and how many there may be. Slice: it is not known; Tuple: it gets none.
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

// Are only its elements wanted? The call that gets them is its keeper_of.
HD_COLD bool is_consumed(const Columns& c, Index call) {
  return c.want[call] == kTypeInPlace && is_step_call(c, call);
}
// The call whose loop a chained call is part of: the first one of its chain. It is kept at the arguments, whose node names
// nothing, so that no call of a long chain looks for it.
HD Index chain_first(const Columns& c, Index call) { return c.ref[c.right[call]]; }
// Of a call whose source has been asked.
// Beside it stands what is known of the chain up to the call, in bits of lazy_left, which are no tail of anything.
inline constexpr u8 kChainFilters = 32, kChainTakesLambda = 64;
// … and of that behind it: a `for` gets its elements one by one.
inline constexpr u8 kChainFeedsFor = 128;
HD bool chain_has(const Columns& c, Index call, u8 bit) {
  return (c.lazy_left[c.right[call]] & bit) != 0;
}
HD_COLD void find_chain_first(Columns& c, Index call) {
  const ChainOp operation = chain_operation(c, call);
  const Index source = starts_chain(operation) ? kNone : chain_source(c, call);
  const bool goes_on = source != kNone && is_step_call(c, source);
  const Index arguments = c.right[call];
  c.ref[arguments] = goes_on ? chain_first(c, source) : call;
  const u32 before = goes_on ? u32{c.lazy_left[c.right[source]]} : 0;
  const u32 own = (operation == ChainOp::Filter ? kChainFilters : 0u) |
                  (takes_lambda(operation) ? kChainTakesLambda : 0u);
  c.lazy_left[arguments] = static_cast<u8>(c.lazy_left[arguments] | own |
                                           (before & (kChainFilters | kChainTakesLambda)));
}
// Does one of a chain's operations, from the first one to this, take a lambda?
HD_COLD bool has_lambda(const Columns& c, Index call) {
  return chain_has(c, call, kChainTakesLambda);
}
// The node that starts the loop: before the first lambda's body, the name that stands for it, or, without any, the call
// itself.
HD_COLD Index chain_start(const Columns& c, Index call) {
  const Index first = chain_first(c, call);
  if (!takes_lambda(chain_operation(c, first))) return first;
  const Index lambda = last_argument(c, first);
  return is_lambda(c, lambda) ? Index{c.left[lambda]} : lambda;
}
// Is the number of the element that an operation gets that of the loop?
HD_COLD bool counts_with_loop(const Columns& c, Index call) {
  const Index first = chain_first(c, call);
  if (call != first && chain_has(c, chain_source(c, call), kChainFilters)) return false;
  return counts_up(chain_operation(c, first)) || !is_range(c, chain_source(c, first));
}

// Of an argument that is in error: is it one of a function that is not known, which is said of that?
HD_COLD bool is_said(const Columns& c, Index argument) {
  const Index call = call_of_argument(c, argument);
  return c.want[argument] == kTypeError &&
         (call == kNone || node_kind(c, call) != Node::Call || c.ref[call_name(c, call)] == kNone);
}

// What the surroundings of a call expect of it, as far as its text says; pending: it does not.
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
// `None`, `[]`, `Some(None)` and the like, of which it is not known what they hold.
HD_COLD bool holds_nothing(const Columns& c, TypeId type) {
  while (is_tuple(type) && is_container(form_of(c, type))) type = held_type(c, type);
  return type == kTypeNever;
}
// Elements that have no type in common say so themselves: does what a type holds in the end come of such ones?
HD_COLD bool holds_unlike(const Columns& c, TypeId type) {
  while (is_tuple(type) && is_container(form_of(c, type))) type = held_type(c, type);
  return type == kTypeUnlike;
}
// The type of what `fold` carries along: what is expected of it, else that of its start.
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
