// SPDX-License-Identifier: Apache-2.0
// The instructions of chains. A chain is one loop, which the pattern of the first lambda starts and the last call
// ends. Values pass from one operation to the next on the stack.
//
//   xs.map(x => e).fold(a, (s, y) => f)     xs; a, to its slots        (hoisted: emit.h)
//                                           pattern x: counter, bound; LOOP, FOR_NEXT; the element; TICK; to x
//                                           e; pattern (s, y): TICK, to y, carried value to s; f
//                                           fold: to the carried value; END; the carried value
#pragma once
#include "frontend_gpu/code/compare_cells.h"
#include "frontend_gpu/code/emit_builtin.h"
#include "frontend_gpu/code/emit_container.h"
#include "frontend_gpu/code/emit_names.h"
#include "frontend_gpu/code/emit_sort.h"
#include "frontend_gpu/names/modules.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The first slot of each part that an operation keeps.
struct ChainSlots {
  u32 of[kChainParts] = {};
  HD u32 operator[](ChainPart part) const { return of[static_cast<u32>(part)]; }
};
HD_COLD ChainSlots chain_slots(const Columns& c, Index call) {
  ChainSlots slots;
  u32 at = kept_slot(c, call);
  ArgumentsBackwards arguments(c, call);
  for (Index e = arguments.next(); e != kNone; e = arguments.next()) at += kept_value_cells(c, e);
  for_each_chain_part(c, call, [&](ChainPart part, TypeId type, u32 times) {
    slots.of[static_cast<u32>(part)] = at;
    at += type_cells(c, type) * times;
  });
  return slots;
}

template <class Sink>
struct EmitChain : EmitContainer<Sink> {
  using Base = EmitContainer<Sink>;
  using Base::c, Base::sink;
  using Base::constant, Base::copy, Base::zeros;

  // The pattern of a lambda's parameters.
  HD_COLD void pattern(Index i) const {
    const Index call = call_of_argument(c, c.owner[i]);
    const ChainOp operation = chain_operation(c, call);
    const ChainSlots slots = chain_slots(c, call);
    start_application(call, slots);
    if (operation == ChainOp::Fold) {
      store_names(element_at(c, i, 1));
      load_slots(slots[ChainPart::Made], c.type[call]);
      return store_names(element_at(c, i, 0));
    }
    if (keeps_element(operation)) {
      store_slots(slots[ChainPart::Element], chain_element(c, call));
      load_slots(slots[ChainPart::Element], chain_element(c, call));
    }
    store_names(i);
  }
  // The name of a function that stands for a lambda.
  HD_COLD void applied(Index i) const {
    const Index call = call_of_lambda(c, i), ref = c.ref[i];
    if (call == kNone) return;
    const ChainSlots slots = chain_slots(c, call);
    const TypeId held = chain_element(c, call);
    start_application(call, slots);
    if (keeps_element(chain_operation(c, call)) || applies_to_kept(c, call))
      store_slots(slots[ChainPart::Element], held);
    if (is_fold(c, call)) load_slots(slots[ChainPart::Made], c.type[call]);
    if (applies_to_slice(c, i) && !is_slice(c, held)) {
      Place element;
      element.start(c, held, slots[ChainPart::Element]);
      this->slice(element);
    } else if (keeps_element(chain_operation(c, call)) || applies_to_kept(c, call)) {
      load_slots(slots[ChainPart::Element], held);
    }
    if (ref < kBuiltinRef)
      return sink.op(Op::Call, Scalar::None, function_number(c, c.item[c.bind_node[ref]]));
    const Scalar given = is_scalar(held) ? as_scalar(held) : Scalar::I64;
    const TypeId result = c.type[i];
    emit_builtin(sink, builtin_row(ref), given, given,
                 is_scalar(result) ? as_scalar(result) : given);
  }
  // An argument that is evaluated before the loop.
  HD_COLD void hoist(Index argument) const {
    const Index call = call_of_argument(c, argument);
    const ChainSlots slots = chain_slots(c, call);
    if (is_fold(c, call)) return store_slots(slots[ChainPart::Made], c.type[call]);
    store_slots(slots[ChainPart::Value], chain_element(c, call));
  }
  // The instructions behind a value that goes to slots.
  HD_COLD void tail(Index i) const {
    if ((c.tails[i] & kKept) != 0) return this->keep(i);
    hoist(i);
  }
  HD_COLD void call(Index i) const {
    if (drops_length(i)) drop_top();
    if (chain_start(c, i) == i) start(i);
    element(i);
    if (is_consumed(c, i)) return;
    sink.chain_end(chain_start(c, i), before_loop(i));
    result(i);
  }

  // Stretches of code that a StretchSink counts, too.

  // Prepares the loop: the start values of the operations, and the counter. The ends of a range, or the number up
  // to which it counts, lie on the stack.
  HD_COLD void prepare(Index first) const {
    const u32 loop = chain_slots(c, first)[ChainPart::Loop];
    const Scalar range = looped_range(c, first);
    if (has_steps(first)) {
      prepare_steps(first, range);
    } else if (range != Scalar::None) {
      if (reverses(first)) keep_ends(first, range);
      sink.op(Op::StoreVar, range, loop + 1);
      sink.op(Op::StoreVar, range, loop);
    } else {
      count_elements_of(first);
      sink.op(Op::StoreVar, Scalar::I64, loop + 1);
      constant(0);
      sink.op(Op::StoreVar, Scalar::I64, loop);
    }
    for (Index i = first; node_kind(c, i) != Node::In; i = chain_next(c, i)) {
      count_work(c, 1);
      prepare_parts(i);
      if (!is_consumed(c, i)) break;
    }
  }
  HD_COLD void take_element(Index first) const {
    const ChainSlots slots = chain_slots(c, first);
    const u32 loop = slots[ChainPart::Loop];
    const Scalar range = looped_range(c, first);
    if (has_steps(first)) return take_step(first, range);
    if (range != Scalar::None) {
      sink.op(Op::ForNext, range, loop, is_inclusive(first));
      if (counts_all(first)) return;
      if (reverses(first)) sink.op(Op::LoadVar, range, slots[ChainPart::Ends]);
      sink.op(Op::LoadVar, range, loop + 2);
      if (reverses(first)) sink.op(Op::SubWrap, range);
      return;
    }
    sink.op(Op::ForNext, Scalar::I64, loop, 0);
    if (counts_all(first)) return;
    if (chain_operation(c, first) == ChainOp::Enumerate)
      sink.op(Op::LoadVar, Scalar::I64, loop + 2);
    if (reverses(first)) {
      sink.op(Op::LoadVar, Scalar::I64, loop + 1);
      constant(1);
      this->op(Op::SubWrap);
    }
    sink.op(Op::LoadVar, Scalar::I64, loop + 2);
    if (reverses(first)) this->op(Op::SubWrap);
    if (counts_up(chain_operation(c, first))) return;
    Place p;
    subject(first, p);
    p.enter_element(c);
    this->load(p);
  }
  // What an operation does with an element, or with what its lambda has made of the element.
  HD_COLD void element(Index i) const {
    const ChainOp operation = chain_operation(c, i);
    const ChainSlots slots = chain_slots(c, i);
    const TypeId held = chain_element(c, i), type = c.type[i];
    const Scalar scalar = is_scalar(type) ? as_scalar(type) : Scalar::I64;
    const u32 made = slots[ChainPart::Made];
    switch (operation) {
      case ChainOp::Map:
      case ChainOp::Tabulate: return keep_made(i);
      case ChainOp::Reverse:
      case ChainOp::List: return keep_made(i);
      case ChainOp::StepBy: return keep_made(i);
      case ChainOp::SortBy: return sorting(i).collect(slots[ChainPart::Element]);
      case ChainOp::Extend: return extend(i, slots[ChainPart::Element]);
      case ChainOp::Enumerate:
        if (keeps_counter(c, i)) add_one(slots[ChainPart::Counter]);
        if (puts_number_below(c, i)) {
          store_slots(slots[ChainPart::Element], held);
          number_of_element(i);
          load_slots(slots[ChainPart::Element], held);
        }
        return keep_made(i);
      case ChainOp::Zip: pair_up(i, slots); return keep_made(i);
      case ChainOp::Filter:
        sink.op(Op::Not, Scalar::Bool);
        sink.jump_over(1);
        sink.op(Op::Continue, Scalar::None, 0);
        load_slots(slots[ChainPart::Element], held);
        return keep_made(i);
      case ChainOp::Fold: return store_slots(made, type);
      case ChainOp::All: sink.op(Op::Not, Scalar::Bool); return stop_with(made, 0);
      case ChainOp::Any: return stop_with(made, 1);
      case ChainOp::Count: sink.jump_over(4); return add_one(made);
      case ChainOp::CountAll:
        this->op_none(Op::Tick);
        if (chain_first(c, i) != i) this->drop_below(0, type_cells(c, held));
        return add_one(made);
      case ChainOp::Find: return found(i, slots);
      case ChainOp::Position: return found_at(i);
      case ChainOp::Sum:
        this->op_none(Op::Tick);
        sink.op(Op::LoadVar, scalar, made);
        sink.op(Op::Add, scalar);
        return sink.op(Op::StoreVar, scalar, made);
      case ChainOp::Min:
      case ChainOp::Max:
        this->op_none(Op::Tick);
        sink.op(Op::LoadVar, scalar, made);
        sink.op(operation == ChainOp::Min ? Op::Min : Op::Max, scalar);
        sink.op(Op::StoreVar, scalar, made);
        sink.constant(Scalar::Bool, 1);
        return sink.op(Op::StoreVar, Scalar::Bool, slots[ChainPart::Seen]);
      case ChainOp::Argmin:
      case ChainOp::Argmax:
        this->op_none(Op::Tick);
        add_one(slots[ChainPart::Counter]);
        return better(i, slots, held);
      case ChainOp::MinByKey:
      case ChainOp::MaxByKey:
      case ChainOp::ArgminByKey:
      case ChainOp::ArgmaxByKey:
        if (const TypeId key = sort_key(c, i); is_number(key))
          better(i, slots, key);
        else
          better_in_order(i, slots, key);
        if (!takes_best(operation)) return;
        sink.constant(Scalar::Bool, 1);
        return sink.op(Op::StoreVar, Scalar::Bool, slots[ChainPart::Seen]);
      case ChainOp::Contains:
        this->op_none(Op::Tick);
        load_slots(slots[ChainPart::Value], held);
        if (is_scalar(held))
          sink.op(Op::Eq, as_scalar(held));
        else
          CompareCells<Sink>{{c, sink}}(Op::Eq, held);
        return stop_with(made, 1);
    }
  }

  // The end of the body of a `for` that gets the elements of a step.
  HD_COLD void end_for(Index step) const {
    sink.chain_end(chain_start(c, step), before_loop(step));
  }

 private:
  // The code before a lambda's body. The first operation of the chain starts the loop there.
  HD_COLD void start_application(Index call, const ChainSlots& slots) const {
    if (chain_first(c, call) == call) start(call);
    this->op_none(Op::Tick);
    if (keeps_counter(c, call)) add_one(slots[ChainPart::Counter]);
  }
  // The number of instructions before the loop that its first node makes.
  HD_COLD u32 before_loop(Index i) const {
    Stretch<Sink> stretch;
    const Index first = chain_first(c, i);
    EmitChain<typename Stretch<Sink>::Type>{{{c, stretch.sink}}}.prepare(first);
    return stretch.counted.code + (chain_start(c, i) == first && drops_length(first));
  }
  // The number of instructions before the loop's end that its last node makes.
  HD_COLD u32 before_end(Index last) const {
    Stretch<Sink> stretch;
    const EmitChain<typename Stretch<Sink>::Type> to{{{c, stretch.sink}}};
    if (chain_start(c, last) == last) {
      to.prepare(last);
      stretch.sink.chain_loop(last, 0);
      to.take_element(last);
    }
    to.element(last);
    return stretch.counted.code + drops_length(last);
  }
  HD_COLD void start(Index first) const {
    prepare(first);
    const Index last = chain_last(c, first);
    if (node_kind(c, last) == Node::In)
      sink.loop(parent_of(c, parent_of(c, last)));  // For, Body
    else
      sink.chain_loop(last, before_end(last));
    take_element(first);
  }
  // True if no operation looks at the elements.
  HD bool counts_all(Index first) const { return chain_operation(c, first) == ChainOp::CountAll; }
  HD bool reverses(Index first) const { return chain_operation(c, first) == ChainOp::Reverse; }
  HD bool has_steps(Index first) const { return chain_operation(c, first) == ChainOp::StepBy; }
  HD bool is_inclusive(Index first) const {
    return node_kind(c, chain_source(c, first)) == Node::RangeInclusive;
  }
  // Keeps the sum of the first and the last number of a range, which lie on the stack. A number and the one that
  // replaces it add up to that sum.
  HD_COLD void keep_ends(Index first, Scalar type) const {
    copy(type, 1);
    copy(type, 1);
    sink.op(Op::AddWrap, type);
    if (!is_inclusive(first)) {
      sink.constant(type, 1);
      sink.op(Op::SubWrap, type);
    }
    sink.op(Op::StoreVar, type, chain_slots(c, first)[ChainPart::Ends]);
  }
  // The range's ends and the step lie on the stack. The loop counts steps, unsigned, from 0 up to and including the
  // last one; for an empty range, from 1 to 0.
  HD_COLD void prepare_steps(Index first, Scalar type) const {
    const ChainSlots slots = chain_slots(c, first);
    const u32 loop = slots[ChainPart::Loop], start = slots[ChainPart::Ends], step = start + 1;
    const Scalar counts = counting_type(ChainOp::StepBy, type);
    copy(type, 0);
    sink.constant(type, 0);
    sink.op(Op::Gt, type);
    this->require(Trap::Range);
    sink.op(Op::StoreVar, type, step);
    copy(type, 1);
    copy(type, 1);
    sink.op(is_inclusive(first) ? Op::Gt : Op::Ge, type);
    sink.op(Op::Convert, counts, static_cast<u32>(Scalar::Bool));
    sink.op(Op::StoreVar, counts, loop);
    copy(type, 1);
    sink.op(Op::SubWrap, type);
    if (!is_inclusive(first)) {
      sink.constant(type, 1);
      sink.op(Op::SubWrap, type);
    }
    wrap(counts, type);
    sink.op(Op::LoadVar, type, step);
    wrap(counts, type);
    sink.op(Op::Div, counts);
    sink.op(Op::LoadVar, counts, loop);  // 0 for an empty range, otherwise all ones
    sink.constant(counts, 1);
    sink.op(Op::SubWrap, counts);
    sink.op(Op::And, counts);
    sink.op(Op::StoreVar, counts, loop + 1);
    sink.op(Op::StoreVar, type, start);
  }
  HD_COLD void take_step(Index first, Scalar type) const {
    const ChainSlots slots = chain_slots(c, first);
    const u32 loop = slots[ChainPart::Loop], start = slots[ChainPart::Ends];
    const Scalar counts = counting_type(ChainOp::StepBy, type);
    sink.op(Op::ForNext, counts, loop, 1);
    sink.op(Op::LoadVar, counts, loop + 2);
    wrap(type, counts);
    sink.op(Op::LoadVar, type, start + 1);
    sink.op(Op::MulWrap, type);
    sink.op(Op::LoadVar, type, start);
    sink.op(Op::AddWrap, type);
  }
  HD void wrap(Scalar to, Scalar from) const {
    if (to != from) sink.op(Op::Wrap, to, static_cast<u32>(from));
  }
  HD_COLD EmitSort<Sink> sorting(Index i) const {
    const ChainSlots slots = chain_slots(c, i);
    return {{{c, sink}},
            sort_key(c, i),
            chain_element(c, i),
            container_of(c, c.type[i]).count,
            slots[ChainPart::Sorting],
            slots[ChainPart::Keys],
            slots[ChainPart::Order],
            slots[ChainPart::Collected],
            slots[ChainPart::Comparing]};
  }
  // The indices of the list that is extended lie on the stack, below the element.
  HD_COLD void extend(Index i, u32 slot) const {
    const TypeId held = chain_element(c, i);
    this->op_none(Op::Tick);
    store_slots(slot, held);
    Place list;
    find_place(c, first_argument(c, i), list);
    for (u32 level = 0; level < list.levels; ++level) copy(Scalar::I64, list.levels - 1);
    load_slots(slot, held);
    this->append(list);
  }
  HD_COLD void count_elements_of(Index first) const {
    if (counts_up(chain_operation(c, first)))
      return this->to_index(c.type[first_argument(c, first)]);
    Place p;
    subject(first, p);
    this->length(p, 0);
    if (chain_operation(c, first) != ChainOp::Zip) return;
    Place other;
    zipped(first, other);
    this->length(other, 1);
    this->op(Op::Min);
  }
  HD_COLD void subject(Index first, Place& p) const {
    find_subject(c, chain_source(c, first), kept_slot(c, first), p);
  }
  HD_COLD void zipped(Index call, Place& p) const {
    const Index other = last_argument(c, call);
    find_subject(c, other, kept_slot(c, call) + kept_value_cells(c, first_argument(c, call)), p);
  }
  // Puts the element of the other sequence on top of this one's. If none is left, the loop ends.
  HD_COLD void pair_up(Index i, const ChainSlots& slots) const {
    Place other;
    zipped(i, other);
    if (chain_first(c, i) != i || keeps_counter(c, i)) {
      if (keeps_counter(c, i)) add_one(slots[ChainPart::Counter]);
      number_of_element(i);
      this->length(other, 1);
      this->op(Op::Ge);
      sink.jump_over(1);
      sink.op(Op::Break, Scalar::None, 0);
    }
    number_of_element(i);
    other.enter_element(c);
    this->load(other);
  }
  // True for `.list(N)`, whose N is evaluated as any argument, but not used.
  HD bool drops_length(Index i) const { return chain_operation(c, i) == ChainOp::List; }
  HD void drop_top() const { sink.op(Op::Project, Scalar::None, 0, 1 << 16); }

  HD_COLD void load_slots(u32 slot, TypeId type) const {
    if (is_scalar(type)) return sink.op(Op::LoadVar, as_scalar(type), slot);
    const u32 cells = type_cells(c, type);
    if (cells != 0) sink.op(Op::LoadVars, Scalar::None, slot, cells);
  }
  HD_COLD void store_slots(u32 slot, TypeId type) const {
    if (is_scalar(type)) return sink.op(Op::StoreVar, as_scalar(type), slot);
    const u32 cells = type_cells(c, type);
    if (cells != 0) sink.op(Op::StoreVars, Scalar::None, slot, cells);
  }
  HD_COLD void store_names(Index pattern) const {
    store_parts(c, sink, pattern, [&](Index name) {
      store_slots(c.bind_value[c.ref[name]], c.bind_type[c.ref[name]]);
    });
  }

  // A value that loses against every other value.
  HD static u64 identity(Scalar type, bool smallest) {
    if (is_float(type)) return type == Scalar::F64 ? 0x7FF8'0000'0000'0000u : 0x7FC0'0000u;
    const u32 bits = scalar_bits(type);
    const u64 most = bits == 64 ? ~0ull : (1ull << bits) - 1;
    if (!is_signed(type)) return smallest ? most : 0;
    return smallest ? most >> 1 : ~(most >> 1);
  }
  HD_COLD void prepare_parts(Index i) const {
    const ChainSlots slots = chain_slots(c, i);
    if (keeps_counter(c, i)) {  // the first element gets 0
      constant(~u64{0});
      sink.op(Op::StoreVar, Scalar::I64, slots[ChainPart::Counter]);
    }
    if (is_consumed(c, i)) return;
    const ChainOp operation = chain_operation(c, i);
    if (operation == ChainOp::Fold) return;
    if (takes_best(operation)) {
      sink.constant(Scalar::Bool, 0);
      sink.op(Op::StoreVar, Scalar::Bool, slots[ChainPart::Seen]);
    }
    if (operation == ChainOp::Min || operation == ChainOp::Max)
      return start_best(slots[ChainPart::Made], as_scalar(c.type[i]), wants_least(operation));
    if (operation == ChainOp::SortBy) sorting(i).start();
    if (finds_best(operation) || has_key(operation)) start_keys(i, slots);
    if (is_scalar(c.type[i]))
      sink.constant(as_scalar(c.type[i]), operation == ChainOp::All);
    else
      put_zeros(c.type[i]);
    store_slots(slots[ChainPart::Made], c.type[i]);
  }
  HD static bool wants_least(ChainOp operation) {
    return operation == ChainOp::Min || operation == ChainOp::Argmin ||
           operation == ChainOp::MinByKey || operation == ChainOp::ArgminByKey;
  }
  HD void put_zeros(TypeId type) const {
    for_each_block(c, type, [&](Scalar scalar, u32 cells) { zeros(scalar, cells); });
  }
  HD_COLD void start_keys(Index i, const ChainSlots& slots) const {
    const ChainOp operation = chain_operation(c, i);
    const TypeId key = has_key(operation) ? sort_key(c, i) : chain_element(c, i);
    const u32 best = slots[ChainPart::Value];
    if (is_number(key)) return start_best(best, as_scalar(key), wants_least(operation));
    put_zeros(key);
    store_slots(best, key);
  }
  HD_COLD void start_best(u32 slot, Scalar type, bool smallest) const {
    sink.constant(type, identity(type, smallest));
    sink.op(Op::StoreVar, type, slot);
  }
  HD_COLD void add_one(u32 slot) const {
    sink.op(Op::LoadVar, Scalar::I64, slot);
    constant(1);
    this->op(Op::AddWrap);
    sink.op(Op::StoreVar, Scalar::I64, slot);
  }
  // Keeps the number on top, an element or a key, if it is better than the best one so far. A first element that
  // loses against every other one has index 0, too.
  HD_COLD void better(Index i, const ChainSlots& slots, TypeId number) const {
    const Scalar type = as_scalar(number);
    const u32 best = slots[ChainPart::Value];
    const ChainOp operation = chain_operation(c, i);
    sink.op(Op::LoadVar, type, best);
    sink.op(wants_least(operation) ? Op::Min : Op::Max, type);
    copy(type, 0);
    sink.op(Op::LoadVar, type, best);
    sink.op(Op::Cmp, type);
    constant(0);
    this->op(Op::Ne);
    if (takes_best(operation)) or_first(operation, slots);
    sink.jump_over(2);
    keep_best(i, slots);
    sink.op(Op::StoreVar, type, best);
  }
  // Keeps the key on top, if it is better. `cmp` orders its type.
  HD_COLD void better_in_order(Index i, const ChainSlots& slots, TypeId key) const {
    const u32 own = slots[ChainPart::Keys], best = slots[ChainPart::Value],
              found = slots[ChainPart::Comparing];
    const ChainOp operation = chain_operation(c, i);
    store_slots(own, key);
    if (is_ordered_by_parts(c, key)) {
      OrderValues<Sink>{{c, sink}, key, {own}, {best}, found}();
      sink.op(Op::LoadVar, Scalar::I64, found);
    } else {
      load_slots(own, key);
      load_slots(best, key);
      if (is_scalar(key))
        sink.op(Op::Cmp, as_scalar(key));
      else
        CompareCells<Sink>{{c, sink}}(Op::Cmp, key);
    }
    constant(0);
    this->op(wants_least(operation) ? Op::Lt : Op::Gt);
    or_first(operation, slots);
    sink.jump_over(4);
    keep_best(i, slots);
    load_slots(own, key);
    store_slots(best, key);
  }
  // Adds the condition that this element is the first one.
  HD_COLD void or_first(ChainOp operation, const ChainSlots& slots) const {
    if (takes_best(operation)) {
      sink.op(Op::LoadVar, Scalar::Bool, slots[ChainPart::Seen]);
      sink.op(Op::Not, Scalar::Bool);
    } else {
      sink.op(Op::LoadVar, Scalar::I64, slots[ChainPart::Counter]);
      constant(0);
      this->op(Op::Eq);
    }
    sink.op(Op::Or, Scalar::Bool);
  }
  // Two instructions, which keep the element whose key is the best one so far.
  HD_COLD void keep_best(Index i, const ChainSlots& slots) const {
    const bool element = takes_best(chain_operation(c, i));
    const u32 from = slots[element ? ChainPart::Element : ChainPart::Counter];
    load_slots(from, c.type[i]);
    store_slots(slots[ChainPart::Made], c.type[i]);
  }
  HD_COLD void number_of_element(Index i) const {
    const u32 slot = keeps_counter(c, i) ? chain_slots(c, i)[ChainPart::Counter]
                                         : chain_slots(c, chain_first(c, i))[ChainPart::Loop] + 2;
    sink.op(Op::LoadVar, Scalar::I64, slot);
  }
  // If the bool on top is true, the chain ends with this value.
  HD_COLD void stop_with(u32 slot, u64 value) const {
    sink.jump_over(3);
    sink.constant(Scalar::Bool, value);
    sink.op(Op::StoreVar, Scalar::Bool, slot);
    sink.op(Op::Break, Scalar::None, 0);
  }
  HD_COLD void found(Index i, const ChainSlots& slots) const {
    Place p;
    p.start(c, chain_element(c, i), slots[ChainPart::Element]);
    Stretch<Sink> stretch;
    EmitContainer<typename Stretch<Sink>::Type>{{c, stretch.sink}}.put_option(p);
    sink.jump_over(stretch.counted.code + 2);
    this->put_option(p);
    sink.op(Op::StoreVars, Scalar::None, slots[ChainPart::Made], type_cells(c, c.type[i]));
    sink.op(Op::Break, Scalar::None, 0);
  }
  HD_COLD void found_at(Index i) const {
    sink.jump_over(4);
    sink.constant(kTagScalar, 1);
    number_of_element(i);
    sink.op(Op::StoreVars, Scalar::None, chain_slots(c, i)[ChainPart::Made], 2);
    sink.op(Op::Break, Scalar::None, 0);
  }
  // Stores the element on top to the array or list that the chain makes.
  HD_COLD void keep_made(Index i) const {
    if (is_consumed(c, i)) return;
    if (!has_lambda(c, i)) this->op_none(Op::Tick);
    Place p;
    p.start(c, c.type[i], chain_slots(c, i)[ChainPart::Made]);
    if (container_of(c, p.type).form == TypeForm::List) return this->append(p);
    p.enter_element(c);
    this->put_at(p, chain_slots(c, chain_first(c, i))[ChainPart::Loop] + 2);
  }
  HD_COLD void result(Index i) const {
    const ChainSlots slots = chain_slots(c, i);
    const ChainOp operation = chain_operation(c, i);
    if (takes_best(operation)) {
      sink.op(Op::LoadVar, Scalar::Bool, slots[ChainPart::Seen]);
      this->require(Trap::Index);
    }
    if (finds_best(operation)) {
      sink.op(Op::LoadVar, Scalar::I64, slots[ChainPart::Counter]);
      constant(0);
      this->op(Op::Ge);
      this->require(Trap::Index);
    }
    if (operation == ChainOp::SortBy) {
      Place made;
      made.start(c, c.type[i], slots[ChainPart::Made]);
      sorting(i).sort_to(made);
    }
    if (operation == ChainOp::Extend) {
      Place list;
      find_place(c, first_argument(c, i), list);
      this->drop_below(0, list.levels);
    }
    load_slots(slots[ChainPart::Made], c.type[i]);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
