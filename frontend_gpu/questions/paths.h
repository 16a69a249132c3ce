// SPDX-License-Identifier: Apache-2.0
// Paths: a local variable with its fields and elements, `p.rows[i].x`. A path says where a value lies.
#pragma once
#include "frontend_gpu/questions/containers.h"
#include "frontend_gpu/questions/function_names.h"
#include "frontend_gpu/questions/ordered_types.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The most indices that a path may have.
inline constexpr u32 kMaxLevels = 8;

// Bits of tails: which code a node makes behind that of its value.
inline constexpr u8 kLazyLeft = 1;      // `&&` or `||` tests the value first
inline constexpr u8 kFactors = 32;      // of an exponent: nothing, as it counts factors (powers.h)
inline constexpr u8 kAlternative = 16;  // it makes way for the alternative behind it
inline constexpr u8 kShared = 8;   // it also goes to a slot of its own, for nodes of the same value
inline constexpr u8 kHoisted = 4;  // it goes to slots of the chain that starts from it
inline constexpr u8 kKept = 2;     // it goes to slots of the node that looks at it (keeper_of)

HD void add_tail(Columns& c, Index i, u8 bit) {
  if (i >= c.nodes) return;
  c.tails[i] = static_cast<u8>(c.tails[i] | bit);
}

// `xs[i]`
HD bool is_element(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Index && c.role[i] != Role::Choice && !is_view(c, i);
}
// The value from which a step of a path starts; kNone: the node is no step.
HD Index step_base(const Columns& c, Index i) {
  const Node kind = node_kind(c, i);
  const bool step =
      (kind == Node::Dot && node_context(c, i) != Context::Callee) || is_element(c, i);
  return step ? Index{c.left[i]} : kNone;
}
// The name of the variable from which a path starts; kNone: the node is no path.
HD_COLD Index path_root(const Columns& c, Index i) {
  for (Index base = step_base(c, i); base != kNone; base = step_base(c, i)) {
    i = base;
    count_work(c, 1);
  }
  if (node_kind(c, i) != Node::Name || node_context(c, i) == Context::Skipped) return kNone;
  const Index ref = c.ref[i];
  return ref < kBuiltinRef && !is_global(c.bind_kind[ref]) ? i : kNone;
}
HD bool is_path(const Columns& c, Index i) { return path_root(c, i) != kNone; }
// True if a node's value lies in slots: the node is a path, or an element of a value that an index keeps.
HD_COLD bool is_placed(const Columns& c, Index i) {
  for (; i != kNone; i = step_base(c, i)) {
    count_work(c, 1);
    if (is_element(c, i)) return true;
    if (node_kind(c, i) == Node::Name) return is_path(c, i);
  }
  return false;
}

// The number of indices on the way from a node down to its root, or to the value that an index keeps. Stops
// counting at `most`.
HD_COLD u32 levels_of(const Columns& c, Index i, u32 most = kMaxLevels + 1) {
  u32 levels = 0;
  for (; i != kNone && levels < most; i = step_base(c, i)) {
    levels += is_element(c, i);
    count_work(c, 1);
  }
  return levels;
}

// The node that looks at a kept value: an index, a `for` or a call.
HD_COLD Index keeper_of(const Columns& c, Index i) {
  Index keeper = above_commas(c, i);
  while (node_kind(c, keeper) == Node::Paren ||
         (node_kind(c, keeper) == Node::Dot && node_context(c, keeper) == Context::Callee)) {
    count_work(c, 1);
    keeper = above_commas(c, keeper);
  }
  return keeper;
}

// The kept node of a value in parentheses: the value, or any of the parentheses around it. kNone: none is kept.
HD_COLD Index kept_part(const Columns& c, Index value) {
  while (value != kNone && (c.tails[value] & kKept) == 0) {
    count_work(c, 1);
    const bool single = node_kind(c, value) == Node::Paren && !has_comma(c, value);
    value = single ? Index{c.right[value]} : kNone;
  }
  return value;
}
HD_COLD u32 kept_value_cells(const Columns& c, Index value) {
  const Index kept = kept_part(c, value);
  return kept == kNone ? 0 : type_cells(c, TypeId{c.type[kept]});
}
// `for x in xs` keeps a counter, its bound and the index of the element, followed by the value that it runs over.
inline constexpr u32 kLoopSlots = 3;
// The operation that follows a step in its chain, or the In of the `for` that gets its elements.
HD Index chain_next(const Columns& c, Index call) { return keeper_of(c, call); }
HD_COLD Index chain_last(const Columns& c, Index call) {
  while (is_consumed(c, call)) {
    count_work(c, 1);
    call = chain_next(c, call);
  }
  return call;
}
// True for a step whose elements the body of a `for` gets one by one. check_types has to be done with the call.
HD_COLD bool goes_to_for(const Columns& c, Index call) {
  return chain_has(c, call, kChainFeedsFor);
}
HD_COLD void note_goes_to_for(Columns& c, Index call) {
  if (!is_consumed(c, call)) return;
  const Index next = chain_next(c, call);
  if (node_kind(c, next) != Node::In && !(is_chained_call(c, next) && goes_to_for(c, next))) return;
  const Index arguments = c.right[call];
  c.tails[arguments] = static_cast<u8>(c.tails[arguments] | kChainFeedsFor);
}
// True if a `for` runs over the value, directly or by steps of a chain.
HD_COLD bool is_gone_through(const Columns& c, Index value) {
  const Index keeper = keeper_of(c, value);
  if (node_kind(c, keeper) == Node::In) return true;
  return is_chained_call(c, keeper) && goes_to_for(c, keeper);
}

// What an operation of a chain keeps in slots, in this order.
enum class ChainPart : u8 {
  Loop,     // of the first operation: the counter, its bound and the element's number
  Ends,     // of a range: backwards, the sum of its ends; with steps, its first number and the step
  Element,  // the one that it gets
  Value,    // the one that it looks for, or the best one so far
  Made,     // what it makes of the elements
  Seen,     // whether it has got an element
  Counter,  // the number of elements that it has got
  // For sort_by (emit_sort.h):
  Sorting,    // counters
  Order,      // the numbers of the elements, twice
  Collected,  // the elements
  // For sort_by, and for operations that look for the best key if keys are no numbers:
  Keys,       // of all elements, or of the current one
  Comparing,  // what comparing two keys by their parts takes
};
inline constexpr u32 kChainParts = static_cast<u32>(ChainPart::Comparing) + 1;
inline constexpr u32 kSortSlots = 12;
HD bool keeps_element(ChainOp operation) {
  return operation == ChainOp::Filter || operation == ChainOp::Find ||
         operation == ChainOp::SortBy || operation == ChainOp::Extend ||
         operation == ChainOp::MinByKey || operation == ChainOp::MaxByKey;
}
// True if it looks for the element whose key comes first or last.
HD bool has_key(ChainOp operation) {
  return operation == ChainOp::MinByKey || operation == ChainOp::MaxByKey ||
         operation == ChainOp::ArgminByKey || operation == ChainOp::ArgmaxByKey;
}
// True if it pairs elements with others of the same number.
HD bool pairs_elements(ChainOp operation) {
  return operation == ChainOp::Enumerate || operation == ChainOp::Zip;
}
// True if it gives the index of the best element.
HD bool finds_best(ChainOp operation) {
  return operation == ChainOp::Argmin || operation == ChainOp::Argmax ||
         operation == ChainOp::ArgminByKey || operation == ChainOp::ArgmaxByKey;
}
// True if it gives the best element.
HD bool takes_best(ChainOp operation) {
  return operation == ChainOp::Min || operation == ChainOp::Max || operation == ChainOp::MinByKey ||
         operation == ChainOp::MaxByKey;
}
HD bool numbers_elements(ChainOp operation) {
  return operation == ChainOp::Position || pairs_elements(operation) || finds_best(operation);
}
HD_COLD bool keeps_counter(const Columns& c, Index call) {
  const ChainOp operation = chain_operation(c, call);
  return finds_best(operation) || (numbers_elements(operation) && !counts_with_loop(c, call));
}
// True for an `enumerate` whose elements are on the stack already; their numbers go below them.
HD_COLD bool puts_number_below(const Columns& c, Index call) {
  return chain_operation(c, call) == ChainOp::Enumerate &&
         (chain_first(c, call) != call || keeps_counter(c, call));
}
// True if a function stands for the lambda, and either gets the element behind another argument or looks at it in
// place.
HD_COLD bool applies_to_kept(const Columns& c, Index call) {
  const ChainOp operation = chain_operation(c, call);
  if (!takes_lambda(operation)) return false;
  const Index lambda = last_argument(c, call);
  return c.role[lambda] == Role::Function &&
         (operation == ChainOp::Fold || applies_to_slice(c, lambda));
}
// The type of the keys by which `sort_by` sorts and other operations compare.
HD_COLD TypeId sort_key(const Columns& c, Index call) {
  return settled(c.type[last_argument(c, call)]);
}
// The type of the numbers if the operation starts a loop over a range; None: it starts no such loop.
HD_COLD Scalar looped_range(const Columns& c, Index first) {
  if (counts_up(chain_operation(c, first)) || !is_range(c, chain_source(c, first)))
    return Scalar::None;
  const TypeId type = range_type(c, chain_source(c, first));
  return is_scalar(type) ? as_scalar(type) : Scalar::I64;
}
// The type in which the loop over a range counts.
HD Scalar counting_type(ChainOp operation, Scalar range) {
  if (range == Scalar::None) return Scalar::I64;
  return operation == ChainOp::StepBy ? unsigned_partner(range) : range;
}
// The slots that comparing two values by their parts takes: one for the result, and those of its loops.
HD_COLD u32 order_slots(const Columns& c, TypeId type) {
  return 1 + kLoopSlots * order_size(c, type).levels;
}
HD bool is_number(TypeId type) { return is_scalar(type) && as_scalar(type) != Scalar::Bool; }
template <class Visit>
HD_COLD void visit_keys(const Columns& c, TypeId key, u32 room, Visit& visit) {
  visit(ChainPart::Keys, key, room);
  if (is_ordered_by_parts(c, key))
    visit(ChainPart::Comparing, type_of(Scalar::I64), order_slots(c, key));
}
template <class Visit>
HD_COLD void visit_sorted_parts(const Columns& c, Index call, TypeId held, Visit& visit) {
  const u32 room = container_of(c, c.type[call]).count;
  visit(ChainPart::Sorting, type_of(Scalar::I64), kSortSlots);
  visit(ChainPart::Order, type_of(Scalar::I64), 2 * room);
  visit(ChainPart::Collected, held, room);
  visit_keys(c, sort_key(c, call), room, visit);
}
// Calls visit(part, type, times) for each part that an operation keeps.
template <class Visit>
HD void for_each_chain_part(const Columns& c, Index call, Visit visit) {
  const ChainOp operation = chain_operation(c, call);
  if (chain_first(c, call) == call) {
    const Scalar range = looped_range(c, call);
    visit(ChainPart::Loop, type_of(counting_type(operation, range)), kLoopSlots);
    if (range != Scalar::None && operation == ChainOp::Reverse)
      visit(ChainPart::Ends, type_of(range), 1u);
    if (range != Scalar::None && operation == ChainOp::StepBy)
      visit(ChainPart::Ends, type_of(range), 2u);
  }
  const TypeId held = chain_element(c, call);
  if (keeps_element(operation) || puts_number_below(c, call) || applies_to_kept(c, call))
    visit(ChainPart::Element, held, 1u);
  const TypeId key = has_key(operation) ? sort_key(c, call) : held;
  if (operation == ChainOp::Contains || finds_best(operation) || has_key(operation))
    visit(ChainPart::Value, key, 1u);
  if (!is_consumed(c, call)) visit(ChainPart::Made, TypeId{c.type[call]}, 1u);
  if (takes_best(operation)) visit(ChainPart::Seen, type_of(Scalar::Bool), 1u);
  if (keeps_counter(c, call)) visit(ChainPart::Counter, type_of(Scalar::I64), 1u);
  if (operation == ChainOp::SortBy)
    visit_sorted_parts(c, call, held, visit);
  else if (has_key(operation) && !is_number(key))
    visit_keys(c, key, 1, visit);
}
// Calls visit(scalar, count) for each block of these parts.
template <class Visit>
HD_COLD void for_each_chain_block(const Columns& c, Index call, Visit visit) {
  for_each_chain_part(c, call, [&](ChainPart, TypeId type, u32 times) {
    for_each_block(c, type, [&](Scalar scalar, u32 count) { visit(scalar, count * times); });
  });
}
// The type of the slices that `==` or `!=` compares; kTypeError: it compares no slices.
HD_COLD TypeId compared_slices(const Columns& c, Index i) {
  if (node_kind(c, i) != Node::Eq && node_kind(c, i) != Node::Ne) return kTypeError;
  const TypeId left = c.type[c.left[i]], right = c.type[c.right[i]];
  return is_slice(c, left) ? left : is_slice(c, right) ? right : kTypeError;
}
// The type of the values that a call of `cmp` compares by their parts; kTypeError: it compares none that way.
HD_COLD TypeId compared_by_parts(const Columns& c, Index call) {
  const Index ref = c.ref[call_name(c, call)];
  const bool compares =
      is_builtin_function(ref) && builtin_row(ref).op == Op::Cmp && count_arguments(c, call) == 2;
  if (!compares) return kTypeError;
  const Index first = first_argument(c, call), last = last_argument(c, call);
  if (is_slice(c, c.type[last])) return c.type[last];
  // An argument that leaves has no type of its own, only the one that is wanted.
  const TypeId own = c.type[first], type = own == kTypeNever ? TypeId{c.want[first]} : own;
  return is_ordered_by_parts(c, type) ? type : kTypeError;
}
// True if a node makes slices of the values that it keeps.
HD_COLD bool looks_through_slices(const Columns& c, Index keeper) {
  if (node_kind(c, keeper) != Node::Call) return compared_slices(c, keeper) != kTypeError;
  return operation_of(c, keeper) < kBuiltinRef || is_slice(c, compared_by_parts(c, keeper));
}
// Calls visit(scalar, count) for each block that a node keeps, in the order of its slots.
template <class Visit>
HD_COLD void for_each_kept_block(const Columns& c, Index i, Visit visit) {
  if ((c.tails[i] & kShared) != 0) return visit(as_scalar(c.type[i]), 1);
  const auto value = [&](Index node) {
    const Index kept = kept_part(c, node);
    if (kept != kNone) for_each_block(c, TypeId{c.type[kept]}, visit);
  };
  switch (node_kind(c, i)) {
    case Node::Index: return value(c.left[i]);
    case Node::In:
      if (is_consumed(c, run_over(c, i))) return;
      visit(Scalar::I64, kLoopSlots);
      return value(run_over(c, i));
    case Node::Call: {
      // The first argument's slots come first, though arguments are listed from the last one on.
      const u32 count = count_arguments(c, i);
      if (count > kMaxParameters + 1) return;  // no function takes as many
      for (u32 k = 0; k < count; ++k) value(argument_at(c, i, k, count));
      if (is_chained_call(c, i) && c.type[i] != kTypeError) for_each_chain_block(c, i, visit);
      if (const TypeId compared = compared_by_parts(c, i); compared != kTypeError) {
        visit(Scalar::I64, order_slots(c, compared));
        for_each_block(c, compared, visit);
        for_each_block(c, compared, visit);
      }
      return;
    }
    case Node::Eq:
    case Node::Ne: {
      const TypeId slices = compared_slices(c, i);
      if (slices == kTypeError) return;
      value(c.left[i]);
      value(c.right[i]);
      visit(Scalar::I64, kLoopSlots);
      visit(Scalar::Bool, 1);
      for_each_block(c, slices, visit);
      for_each_block(c, slices, visit);
      return;
    }
    default: return;
  }
}
// False if no node of the program keeps anything.
HD bool keeps_values(const Columns& c) { return (c.flags[kContainers] | c.flags[kShares]) != 0; }
// The cells that a node keeps in addition to its item's variables.
HD u32 kept_cells(const Columns& c, Index i) {
  if ((c.tails[i] & kShared) != 0) return 1;
  if (c.flags[kContainers] == 0) return 0;
  const Node kind = node_kind(c, i);
  const bool compares = kind == Node::Eq || kind == Node::Ne;
  if (kind != Node::Index && kind != Node::In && kind != Node::Call && !compares) return 0;
  const bool live =
      !is_idle(c.role[i]) && !is_hole(c.role[i]) && node_context(c, i) != Context::Skipped;
  if (!live || (kind == Node::In && is_range(c, run_over(c, i)))) return 0;
  u32 cells = 0;
  for_each_kept_block(c, i, [&](Scalar, u32 count) { cells += count; });
  return cells;
}
// True for a variable of `for` that counts and is no element.
HD bool counts(const Columns& c, u32 b) {
  const Index i = c.bind_node[b], in = c.right[c.left[c.owner[i]]];
  return c.left[in] == i && is_range(c, run_over(c, in));
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
