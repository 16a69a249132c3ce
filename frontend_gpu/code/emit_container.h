// SPDX-License-Identifier: Apache-2.0
// The instructions of values with elements: literals, indices, views, `for` over elements, and operations on
// arrays, lists, slices and Options.
#pragma once
#include "frontend_gpu/code/emit_place.h"
#include "frontend_gpu/code/type_erased_sink.h"
#include "frontend_gpu/columns/name_role.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class Sink>
struct EmitContainer : EmitPlace<Sink> {
  using Base = EmitPlace<Sink>;
  using Base::c, Base::sink;
  using Base::constant, Base::copy, Base::copy_ticks, Base::drop_below, Base::length, Base::op,
      Base::zeros;

  // A node of a path: its index, or, at the end of the path, its value.
  HD_COLD void step(Index i) const {
    const Context context = node_context(c, i);
    const bool is_index = node_kind(c, i) == Node::Index;
    if (is_index) this->to_index(c.type[index_of(c, i)]);
    if (is_stored_to(context)) return;
    if (context == Context::UpdateTarget) {
      this->check_indices(i, 0);
      return value(i);
    }
    const bool kept = (c.tails[i] & kKept) != 0;
    const bool ends = kept || (context != Context::PathBase && c.want[i] != kTypeInPlace);
    if (is_index && !(ends && !wants_slice(i) && is_checked_by_load(i))) check(i);
    if (ends) value(i);
  }
  // The name of a variable that is more than one scalar.
  HD bool is_wanted_as_slice(Index name) const { return wants_slice(name); }
  HD_COLD void variable_slice(Index name) const {
    Place p;
    find_place(c, name, p);
    this->slice(p);
  }

  // `xs[a..b]`. Both ends are on the stack.
  HD_COLD void view(Index i) const {
    const Index range = index_of(c, i);
    const TypeId type = c.type[c.left[range]];
    const Scalar scalar = is_scalar(type) ? as_scalar(type) : Scalar::I64;
    Place p;
    find_subject(c, c.left[i], kept_slot(c, i), p);
    this->to_index(type);
    if (node_kind(c, range) == Node::RangeInclusive) {
      constant(1);
      op(Op::AddWrap);
    }
    copy(scalar, 1);
    this->to_index(type);  // the stack: … lo of type T, hi, lo
    copy(Scalar::I64, 0);
    constant(0);
    op(Op::Ge);
    copy(Scalar::I64, 1);
    copy(Scalar::I64, 3);
    op(Op::Le);
    sink.op(Op::And, Scalar::Bool);
    copy(Scalar::I64, 2);
    length(p, 5);
    op(Op::Le);
    sink.op(Op::And, Scalar::Bool);
    this->require(Trap::Index);
    copy(Scalar::I64, 1);
    copy(Scalar::I64, 1);
    op(Op::SubWrap);
    u32 cells = 1;
    const Container own = container_of(c, p.type);
    for (u32 b = this->first_element_block(p); b < p.blocks; ++b, ++cells) {
      this->refer(p, b, cells + 3);
      const u32 each = own.form == TypeForm::Slice ? p.count[b] : p.count[b] / own.count;
      end_of_view(cells + 1, each);
      end_of_view(cells + 3, each);
      sink.op(Op::RefPart, p.scalar[b]);
    }
    drop_below(cells, p.levels + 3);
  }

  // An array whose elements are on the stack.
  HD_COLD void array(Index i) const {
    const TypeId type = TypeId{c.type[i]};
    if (!has_elements(c, type)) return;
    const Container own = Container::of(c.cell[i]), as = container_of(c, type);
    const TypeId held = settled(held_type(c, type));
    const bool list = as.form == TypeForm::List, repeated = repeats(c, i);
    const u32 each = type_cells(c, held), given = repeated ? each : own.count * each;
    if (!list && each == 1 && !repeated) return;
    if (!list && repeated && each == 1) return repeat(1, own.count);
    u32 above = 0, block_begin = 0;
    if (list) constant(own.count), ++above;
    for_each_block(c, held, [&](Scalar scalar, u32 cells) {
      if (each == cells && own.count != 0 && !repeated) {
        copy(scalar, above + given - own.count * cells, own.count * cells);
        above += own.count * cells;
      } else {
        const u32 times = repeated ? 1 : own.count;
        for (u32 k = 0; k < times; ++k, above += cells)
          copy(scalar, above + given - k * each - block_begin - cells, cells);
        if (repeated) repeat(cells, own.count), above += (own.count - 1) * cells;
      }
      block_begin += cells;
      const u32 rest = (as.count - own.count) * cells;
      if (list && rest != 0) zeros(scalar, rest), above += rest;
    });
    drop_below(above, given);
  }
  HD_COLD void text(Index i) const {
    const TypeId type = c.type[i];
    if (!has_elements(c, type)) return;
    const bool is_empty = node_length(c, i) == 2;  // two quotes
    const u32 count = is_empty ? 0 : container_of(c, kTypeTuple + i).count,
              room = container_of(c, type).count - count;
    constant(count);
    if (count != 0) sink.text(i, count);
    if (room != 0) zeros(Scalar::U8, room);
  }
  HD_COLD void none(TypeId type) const {
    bool first = true;
    for_each_block(c, type, [&](Scalar scalar, u32 cells) {
      zeros(scalar, first ? 1 : cells);
      first = false;
    });
  }

  // Stores a node's value to slots of the node that looks at it. If that node looks at a slice of the value, leaves
  // the slice.
  HD_COLD void keep(Index i) const {
    const Index keeper = keeper_of(c, i);
    const TypeId type = TypeId{c.type[i]};
    const u32 slot = slot_of_kept(i, keeper);
    const u32 cells = type_cells(c, type);
    if (cells != 0) sink.op(Op::StoreVars, Scalar::None, slot, cells);  // `[]` has none
    if (!looks_through_slices(c, keeper)) return;
    Place p;
    p.start(c, type, slot);
    this->slice(p);
  }

  // The start of `for x in xs`, behind xs.
  HD_COLD void start_loop(Index in) const {
    Place p;
    find_subject(c, run_over(c, in), kept_slot(c, in) + kLoopSlots, p);
    length(p, 0);
    sink.op(Op::StoreVar, Scalar::I64, kept_slot(c, in) + 1);
    constant(0);
    sink.op(Op::StoreVar, Scalar::I64, kept_slot(c, in));
  }
  HD_COLD void load_element(Index in) const {
    Place p;
    find_subject(c, run_over(c, in), kept_slot(c, in) + kLoopSlots, p);
    sink.op(Op::LoadVar, Scalar::I64, kept_slot(c, in) + 2);
    p.enter_element(c);
    this->load(p);
  }

  HD_COLD void call(Index i, Collection operation) const {
    const Index first = first_argument(c, i);
    const TypeId type = first == kNone ? kTypeError : TypeId{c.type[first]};
    Place p;
    if (has_elements(c, type))
      find_subject(c, first, kept_slot(c, i), p);
    else if (!is_of_option(operation))
      return;
    switch (operation) {
      case Collection::None: return;
      case Collection::Some: return some(TypeId{c.type[i]});
      case Collection::IsSome:
      case Collection::IsNone: return is_some(type, operation == Collection::IsSome);
      case Collection::Or: return value_or(type);
      case Collection::Len: length(p, 0); return drop_below(1, p.levels);
      case Collection::IsEmpty:
        length(p, 0);
        constant(0);
        op(Op::Eq);
        return drop_below(1, p.levels);
      case Collection::First: constant(0); return end(i, p);
      case Collection::Last:
        length(p, 0);
        constant(1);
        op(Op::SubWrap);
        return end(i, p);
      case Collection::Get: return get(i, p);
      case Collection::Push: return push(p);
      case Collection::Pop: return pop(i, p);
      case Collection::Swap: return swap(i, p);
    }
  }

  // The number on top as an Option of the integer that equals it. If there is none, EXACT gives 0, and the 0 converts
  // back to another number than the one on top. The number 0 itself equals an integer.
  HD_COLD void exact(TypeId option, Scalar to, Scalar from) const {
    if (to == from) return some(option);
    copy(from, 0);
    sink.op(Op::Exact, to, static_cast<u32>(from));
    copy(to, 0);
    sink.op(is_float(from) ? Op::Convert : Op::Wrap, from, static_cast<u32>(to));
    copy(from, 2);
    sink.op(Op::Eq, from);
    sink.op(Op::Convert, kTagScalar, static_cast<u32>(Scalar::Bool));
    copy(to, 1);
    drop_below(2, 2);
  }

  // Puts the value on top behind the last element of a list.
  HD_COLD void append(const Place& p) const { push(p); }
  // Stores the value on top as an element of an array. The element's index is in a slot.
  HD_COLD void put_at(const Place& element, u32 slot) const {
    const u32 cells = element.cells();
    sink.op(Op::LoadVar, Scalar::I64, slot);
    put_pushed(element, cells);
    drop_below(0, cells + 1);
  }
  // The cells of a place as an Option that holds the value.
  HD_COLD void put_option(const Place& p) const { put_some(*this, p); }

 private:
  HD bool wants_slice(Index i) const { return is_slice(c, c.want[i]) && !is_slice(c, c.type[i]); }
  HD_COLD void value(Index i) const {
    Place p;
    find_place(c, i, p);
    if (wants_slice(i)) return this->slice(p);
    this->load(p, node_context(c, i) == Context::UpdateTarget);
  }
  HD_COLD void check(Index i) const {
    Place p;
    find_subject(c, c.left[i], kept_slot(c, i), p);
    this->check_index(p);
  }
  HD_COLD bool is_checked_by_load(Index i) const {
    Place p;
    find_subject(c, c.left[i], kept_slot(c, i), p);
    if (container_of(c, p.type).form != TypeForm::Array) return false;
    p.enter_element(c);
    return this->checks_itself(p);
  }
  // Pushes the topmost cell below `depth` cells, times the number of cells of an element.
  HD_COLD void end_of_view(u32 depth, u32 each) const {
    copy(Scalar::I64, depth);
    if (each == 1) return;
    constant(each);
    op(Op::MulWrap);
  }
  HD void repeat(u32 cells, u32 times) const {
    if (times > 1) sink.op(Op::Repeat, Scalar::None, cells, times);
  }
  HD_COLD u32 slot_of_kept(Index i, Index keeper) const {
    u32 slot = kept_slot(c, keeper);
    if (node_kind(c, keeper) == Node::In) return slot + kLoopSlots;
    if (compared_slices(c, keeper) != kTypeError)
      return i < c.begin[c.right[keeper]] ? slot : slot + kept_value_cells(c, c.left[keeper]);
    if (node_kind(c, keeper) != Node::Call) return slot;
    ArgumentsBackwards arguments(c, keeper);
    for (Index e = arguments.next(); e != kNone; e = arguments.next())
      if (c.end[e] <= i) slot += kept_value_cells(c, e);
    return slot;
  }

  // Visits the blocks of a place, visit(block), in their order in an Option that holds the value.
  template <class Visit>
  HD static void in_order_of_scalars(const Place& p, Visit visit) {
    for (u32 s = 1; s < kScalarCount; ++s)
      for (u32 b = 0; b < p.blocks; ++b)
        if (p.scalar[b] == static_cast<Scalar>(s)) visit(b);
  }
  template <class Other>
  HD_COLD static void put_some(const EmitPlace<Other>& to, const Place& p) {
    to.sink.constant(kTagScalar, 1);
    u32 above = 1;
    in_order_of_scalars(p, [&](u32 b) {
      to.load_block(p, b, above);
      above += p.count[b];
    });
  }
  // first() if the bool on top is true, otherwise None of the type.
  template <class First>
  HD void some_or_none(TypeId option, First first) const {
    Stretch<Sink> stretch, other;
    first(EmitPlace<typename Stretch<Sink>::Type>{c, stretch.sink});
    EmitContainer<typename Stretch<Sink>::Type>{{c, other.sink}}.none(option);
    sink.own_branch(stretch.counted.code + 1);
    first(EmitPlace<Sink>{c, sink});
    sink.own_jump(type_cells(c, option), other.counted.code);
    none(option);
  }
  // The element whose index is on top, if there is one.
  HD_COLD void end(Index i, Place& p) const {
    length(p, 1);
    constant(0);
    op(Op::Gt);
    element_or_none(i, p);
  }
  HD_COLD void get(Index i, Place& p) const {
    this->to_index(c.type[last_argument(c, i)]);
    copy(Scalar::I64, 0);
    constant(0);
    op(Op::Ge);
    copy(Scalar::I64, 1);
    length(p, 3);
    op(Op::Lt);
    sink.op(Op::And, Scalar::Bool);
    element_or_none(i, p);
  }
  // If the bool on top is true, the element whose index lies below it; otherwise None.
  HD_COLD void element_or_none(Index i, Place& p) const {
    const TypeId option = TypeId{c.type[i]};
    p.enter_element(c);
    some_or_none(option, [&](const auto& to) { put_some(to, p); });
    drop_below(type_cells(c, option), p.levels);
  }
  HD_COLD void push(const Place& p) const {
    Place element = p;
    element.enter_element(c);
    const u32 cells = element.cells();
    length(p, cells);
    constant(container_of(c, p.type).count);
    op(Op::Lt);
    this->require(Trap::Capacity);
    length(p, cells);  // the element's index
    // The index lies on top of the element; the place's other indices lie below the element.
    put_pushed(element, cells);
    constant(1);
    op(Op::AddWrap);
    store_length(p, cells);
    drop_below(0, cells + p.levels);
  }
  // Stores the value below the index on top to its place.
  HD_COLD void put_pushed(const Place& element, u32 cells) const {
    u32 behind = 0;
    for (u32 b = element.blocks; b-- > 0;) {
      copy_block_of_pushed(element, b, cells, behind);
      behind += element.count[b];
    }
  }
  // Stores a block of the value below the index on top; `behind` cells of the value lie on top of the block.
  HD_COLD void copy_block_of_pushed(const Place& element, u32 b, u32 cells, u32 behind) const {
    copy(element.scalar[b], behind + 1, element.count[b]);
    this->offset(element, b, element.count[b], cells);
    sink.op(Op::StoreAt, element.scalar[b], element.first[b],
            u32{element.count[b]} << 16 | (element.reach[b] + element.count[b]));
  }
  // Stores the new length, which is on top. Below it lie `between` cells, then the place's indices.
  HD void store_length(const Place& p, u32 between) const { this->store_block(p, 0, between); }

  HD_COLD void pop(Index i, const Place& p) const {
    const TypeId option = TypeId{c.type[i]};
    Place element = p;
    element.enter_element(c);
    length(p, 0);
    constant(0);
    op(Op::Gt);
    some_or_none(option, [&](const auto& to) {
      to.length(p, 0);
      to.constant(1);
      to.op(Op::SubWrap);
      to.copy(Scalar::I64, 0);
      to.store_block(p, 0, 1);
      put_some(to, element);
      const u32 cells = type_cells(c, option);
      for (u32 b = 0; b < element.blocks; ++b) {
        to.zeros(element.scalar[b], element.count[b]);
        to.store_block(element, b, cells);
      }
      to.drop_below(cells, 1);
    });
    drop_below(type_cells(c, option), p.levels);
    if (c.want[i] == kTypeStatement) drop_below(0, type_cells(c, option));
  }
  HD_COLD void swap(Index i, const Place& p) const {
    ArgumentsBackwards arguments(c, i);
    const TypeId second = c.type[arguments.next()], first = c.type[arguments.next()];
    this->to_index(second);
    copy(is_scalar(first) ? as_scalar(first) : Scalar::I64, 1);
    this->to_index(first);  // the stack: i as it was, j, i
    this->check_index(p, 2);
    copy(Scalar::I64, 1);
    this->check_index(p, 3);  // the stack: …, j, i, j
    Place element = p;
    element.enter_element(c);
    const u32 cells = element.cells();
    u32 above = 0;
    for (u32 b = 0; b < element.blocks; ++b) {
      this->load_block(element, b, 1 + above, 2);
      above += element.count[b];
    }
    for (u32 b = 0; b < element.blocks; ++b) {
      this->load_block(element, b, above, 3);
      above += element.count[b];
    }
    this->store(element, cells + 1, 2);
    this->store(element, 0, 3);
    drop_below(0, p.levels + 4);
  }

  HD_COLD void some(TypeId option) const {
    if (!is_option(c, option)) return;
    const TypeId held = settled(held_type(c, option));
    const u32 cells = type_cells(c, held);
    sink.constant(kTagScalar, 1);
    u32 above = 1;
    for (u32 s = 1; s < kScalarCount; ++s) {
      u32 end = 0;
      for_each_block(c, held, [&](Scalar scalar, u32 count) {
        end += count;
        if (scalar != static_cast<Scalar>(s)) return;
        copy(scalar, above + cells - end, count);
        above += count;
      });
    }
    drop_below(above, cells);
  }
  HD_COLD void is_some(TypeId option, bool wanted) const {
    const u32 cells = type_cells(c, option);
    if (cells != 1) sink.op(Op::Project, Scalar::None, 1, cells << 16);
    sink.constant(kTagScalar, wanted);
    sink.op(Op::Eq, kTagScalar);
  }
  // An Option and its substitute are on the stack.
  HD_COLD void value_or(TypeId option) const {
    const TypeId held = settled(held_type(c, option));
    const u32 cells = type_cells(c, held), all = type_cells(c, option);
    copy(kTagScalar, all + cells - 1);
    sink.constant(kTagScalar, 1);
    sink.op(Op::Eq, kTagScalar);
    const u32 blocks = count_blocks(c, held);
    sink.own_branch(blocks + 1);
    u32 start[kCellTypeCount] = {}, at = 0, above = 0;
    for_each_block(c, option, [&](Scalar scalar, u32 count) {
      if (at != 0) start[static_cast<u8>(scalar)] = at;
      at += count;
    });
    for_each_block(c, held, [&](Scalar scalar, u32 count) {
      u32& from = start[static_cast<u8>(scalar)];
      from += count;
      copy(scalar, above + cells + all - from, count);
      above += count;
    });
    sink.own_jump(cells, blocks);
    // The copy replaces the values that it was chosen from.
    for_each_block(c, held, [&](Scalar scalar, u32 count) { copy(scalar, cells - count, count); });
    drop_below(cells, all + cells);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
