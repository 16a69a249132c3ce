// SPDX-License-Identifier: Apache-2.0
// The instructions of chains: one loop, which the first lambda's pattern starts and the last call ends. What passes from an
// operation to the next lies on the stack.
//
//   xs.map(x => e).fold(a, (s, y) => f)     xs; a, to its slots        (hoisted: emit.h)
//                                           pattern x: counter, bound; LOOP, FOR_NEXT; the element; TICK; to x
//                                           e; pattern (s, y): TICK, to y, what is carried to s; f
//                                           fold: to what is carried; END; what is carried
#pragma once
#include "frontend_gpu/compare_cells.h"
#include "frontend_gpu/emit_container.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The first slots of what an operation keeps.
struct ChainSlots {
  u32 loop = 0, element = 0, value = 0, made = 0, seen = 0;
};
HD_COLD ChainSlots chain_slots(const Columns& c, Index call) {
  const Collection operation = collection_of(operation_of(c, call));
  ChainSlots s;
  u32 at = kept_slot(c, call) + kept_value_cells(c, first_argument(c, call));
  const u32 held = type_cells(c, chain_element(c, call));
  s.loop = at;
  if (chain_first(c, call) == call) at += kLoopSlots;
  s.element = at;
  if (keeps_element(operation)) at += held;
  s.value = at;
  if (operation == Collection::Contains) at += held;
  s.made = at;
  s.seen = at + (is_consumed(c, call) ? 0 : type_cells(c, c.type[call]));
  return s;
}

template <class Sink>
struct EmitChain : EmitContainer<Sink> {
  using Base = EmitContainer<Sink>;
  using Base::c, Base::sink;
  using Base::constant, Base::zeros;

  // The pattern of a lambda's parameters.
  HD_COLD void pattern(Index i) const {
    const Index call = call_of_argument(c, c.owner[i]);
    const Collection operation = collection_of(operation_of(c, call));
    if (chain_first(c, call) == call) start(call);
    this->op_none(Op::Tick);
    const ChainSlots slots = chain_slots(c, call);
    if (operation == Collection::Fold) {
      store_names(element_at(c, i, 1));
      load_slots(slots.made, c.type[call]);
      return store_names(element_at(c, i, 0));
    }
    if (keeps_element(operation)) {
      store_slots(slots.element, chain_element(c, call));
      load_slots(slots.element, chain_element(c, call));
    }
    store_names(i);
  }
  // An argument that is evaluated before the loop.
  HD_COLD void hoist(Index argument) const {
    const Index call = call_of_argument(c, argument);
    const ChainSlots slots = chain_slots(c, call);
    store_slots(is_fold(c, call) ? slots.made : slots.value, c.type[argument]);
  }
  HD_COLD void call(Index i) const {
    if (drops_length(i)) drop_top();
    if (chain_start(c, i) == i) start(i);
    element(i);
    if (is_consumed(c, i)) return;
    sink.chain_end(chain_start(c, i), before_loop(i));
    result(i);
  }

  // The parts of it that are counted.

  // Before the loop: what the operations start from, and the counter.
  HD_COLD void prepare(Index first) const {
    for (Index i = first;; i = chain_next(c, i)) {
      if (!is_consumed(c, i)) {
        prepare_made(i);
        break;
      }
    }
    Place p;
    subject(first, p);
    this->length(p, 0);
    const u32 loop = chain_slots(c, first).loop;
    sink.op(Op::StoreVar, Scalar::I64, loop + 1);
    constant(0);
    sink.op(Op::StoreVar, Scalar::I64, loop);
  }
  HD_COLD void take_element(Index first) const {
    const u32 loop = chain_slots(c, first).loop;
    sink.op(Op::ForNext, Scalar::I64, loop, 0);
    Place p;
    subject(first, p);
    sink.op(Op::LoadVar, Scalar::I64, loop + 2);
    p.enter_element(c);
    this->load(p);
  }
  // What an operation does with an element, or with what its lambda has made of it.
  HD_COLD void element(Index i) const {
    const Collection operation = collection_of(operation_of(c, i));
    const ChainSlots slots = chain_slots(c, i);
    const TypeId held = chain_element(c, i), type = c.type[i];
    const Scalar scalar = is_scalar(type) ? as_scalar(type) : Scalar::I64;
    switch (operation) {
      case Collection::Map: return keep_made(i);
      case Collection::Filter:
        sink.op(Op::Not, Scalar::Bool);
        sink.jump_over(1);
        sink.op(Op::Continue, Scalar::None, 0);
        load_slots(slots.element, held);
        return keep_made(i);
      case Collection::Fold: return store_slots(slots.made, type);
      case Collection::All: sink.op(Op::Not, Scalar::Bool); return stop_with(slots.made, 0);
      case Collection::Any: return stop_with(slots.made, 1);
      case Collection::Count:
        sink.jump_over(4);
        sink.op(Op::LoadVar, Scalar::I64, slots.made);
        constant(1);
        this->op(Op::AddWrap);
        return sink.op(Op::StoreVar, Scalar::I64, slots.made);
      case Collection::Find: return found(i, slots);
      case Collection::Sum:
        this->op_none(Op::Tick);
        sink.op(Op::LoadVar, scalar, slots.made);
        sink.op(Op::Add, scalar);
        return sink.op(Op::StoreVar, scalar, slots.made);
      case Collection::Min:
      case Collection::Max:
        this->op_none(Op::Tick);
        sink.op(Op::LoadVar, scalar, slots.made);
        sink.op(operation == Collection::Min ? Op::Min : Op::Max, scalar);
        sink.op(Op::StoreVar, scalar, slots.made);
        sink.constant(Scalar::Bool, 1);
        return sink.op(Op::StoreVar, Scalar::Bool, slots.seen);
      case Collection::Contains:
        this->op_none(Op::Tick);
        load_slots(slots.value, held);
        if (is_scalar(held))
          sink.op(Op::Eq, as_scalar(held));
        else
          CompareCells<Sink>{{c, sink}}(Op::Eq, held);
        return stop_with(slots.made, 1);
      case Collection::List:
        if (chain_first(c, i) == i) this->op_none(Op::Tick);
        return keep_made(i);
      case Collection::Some:
      case Collection::None:
      case Collection::IsSome:
      case Collection::IsNone:
      case Collection::Or:
      case Collection::Len:
      case Collection::IsEmpty:
      case Collection::Get:
      case Collection::First:
      case Collection::Last:
      case Collection::Push:
      case Collection::Pop:
      case Collection::Swap: return;
    }
  }

 private:
  // Instructions of the node that starts the loop which stand before it.
  HD_COLD u32 before_loop(Index i) const {
    StretchSink stretch;
    const Index first = chain_first(c, i);
    EmitChain<StretchSink>{{{c, stretch}}}.prepare(first);
    return stretch.code + (chain_start(c, i) == first && drops_length(first));
  }
  // Instructions of the node that ends it which stand before that.
  HD_COLD u32 before_end(Index last) const {
    StretchSink stretch;
    const EmitChain<StretchSink> to{{{c, stretch}}};
    if (chain_start(c, last) == last) {
      to.prepare(last);
      stretch.chain_loop(last, 0);
      to.take_element(last);
    }
    to.element(last);
    return stretch.code + drops_length(last);
  }
  HD_COLD void start(Index first) const {
    prepare(first);
    const Index last = chain_last(c, first);
    sink.chain_loop(last, before_end(last));
    take_element(first);
  }
  HD_COLD void subject(Index first, Place& p) const {
    find_subject(c, first_argument(c, first), kept_slot(c, first), p);
  }
  // `.list(N)`: N, which is evaluated as any argument.
  HD bool drops_length(Index i) const {
    return names_collection(operation_of(c, i), Collection::List);
  }
  HD void drop_top() const { sink.op(Op::Project, Scalar::None, 0, 1 << 16); }

  HD_COLD void load_slots(u32 slot, TypeId type) const {
    if (is_scalar(type)) return sink.op(Op::LoadVar, as_scalar(type), slot);
    sink.op(Op::LoadVars, Scalar::None, slot, type_cells(c, type));
  }
  HD_COLD void store_slots(u32 slot, TypeId type) const {
    if (is_scalar(type)) return sink.op(Op::StoreVar, as_scalar(type), slot);
    sink.op(Op::StoreVars, Scalar::None, slot, type_cells(c, type));
  }
  HD_COLD void store_names(Index pattern) const {
    for (Index n = c.end[pattern]; n-- > c.begin[pattern];) {
      const bool binds = c.role[n] == Role::Bind || c.role[n] == Role::LambdaName;
      if (node_kind(c, n) != Node::Name || !binds) continue;
      store_slots(c.bind_value[c.ref[n]], c.bind_type[c.ref[n]]);
    }
  }

  // What loses against every other value.
  HD static u64 identity(Scalar type, bool smallest) {
    if (is_float(type)) return type == Scalar::F64 ? 0x7FF8'0000'0000'0000u : 0x7FC0'0000u;
    const u32 bits = scalar_bits(type);
    const u64 most = bits == 64 ? ~0ull : (1ull << bits) - 1;
    if (!is_signed(type)) return smallest ? most : 0;
    return smallest ? most >> 1 : ~(most >> 1);
  }
  HD_COLD void prepare_made(Index i) const {
    const Collection operation = collection_of(operation_of(c, i));
    const ChainSlots slots = chain_slots(c, i);
    if (operation == Collection::Fold) return;
    if (operation == Collection::Min || operation == Collection::Max) {
      const Scalar type = as_scalar(c.type[i]);
      sink.constant(type, identity(type, operation == Collection::Min));
      sink.op(Op::StoreVar, type, slots.made);
      sink.constant(Scalar::Bool, 0);
      return sink.op(Op::StoreVar, Scalar::Bool, slots.seen);
    }
    if (is_scalar(c.type[i]))
      sink.constant(as_scalar(c.type[i]), operation == Collection::All);
    else
      for_each_block(c, c.type[i], [&](Scalar scalar, u32 cells) { zeros(scalar, cells); });
    store_slots(slots.made, c.type[i]);
  }
  // Where the bool on top is true the chain ends with this value.
  HD_COLD void stop_with(u32 slot, u64 value) const {
    sink.jump_over(3);
    sink.constant(Scalar::Bool, value);
    sink.op(Op::StoreVar, Scalar::Bool, slot);
    sink.op(Op::Break, Scalar::None, 0);
  }
  HD_COLD void found(Index i, const ChainSlots& slots) const {
    Place p;
    p.start(c, chain_element(c, i), slots.element);
    StretchSink stretch;
    EmitContainer<StretchSink>{{c, stretch}}.put_option(p);
    sink.jump_over(stretch.code + 2);
    this->put_option(p);
    sink.op(Op::StoreVars, Scalar::None, slots.made, type_cells(c, c.type[i]));
    sink.op(Op::Break, Scalar::None, 0);
  }
  // The element on top goes to the array or list that the chain makes.
  HD_COLD void keep_made(Index i) const {
    if (is_consumed(c, i)) return;
    Place p;
    p.start(c, c.type[i], chain_slots(c, i).made);
    if (container_of(c, p.type).form == TypeForm::List) return this->append(p);
    p.enter_element(c);
    this->put_at(p, chain_slots(c, chain_first(c, i)).loop + 2);
  }
  HD_COLD void result(Index i) const {
    const ChainSlots slots = chain_slots(c, i);
    const Collection operation = collection_of(operation_of(c, i));
    if (operation == Collection::Min || operation == Collection::Max) {
      sink.op(Op::LoadVar, Scalar::Bool, slots.seen);
      this->require(Trap::Index);
    }
    load_slots(slots.made, c.type[i]);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
