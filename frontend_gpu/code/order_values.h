// SPDX-License-Identifier: Apache-2.0
// Compares two values in slots by their parts (ordered_types.h). The result, -1, 0 or 1, goes to a slot. Parts are
// compared one after the other, elements in a loop, until two parts differ. Each pair of elements takes a tick.
// Example: `(xs, Circle(x, r) | Empty, n)`
//
//   LOOP                     once
//     LOOP, FOR_NEXT; TICK   up to the length of the shorter list
//       an element of each; CMP; leave, if they differ
//     END; leave, if elements differ
//     the lengths; CMP; leave, if they differ
//     the numbers of the alternatives; CMP; leave, if they differ
//     is it Circle? JUMP_IF_FALSE
//       x of each; CMP; …
//       r of each; CMP; …
//     n of each; CMP; …
//   BREAK; END
#pragma once
#include "frontend_gpu/code/compare_cells.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

static_assert(kMaxOrderLevels < kMaxLevels);  // one more if the values are elements
static_assert(kMaxOrderCode + 64 <= kMaxOwnCode);

// Where a value lies: in slots, or as one of `room` elements. The slot `number` holds the element's number.
struct OrderedValue {
  u32 first;
  u32 room = 0, number = 0;
};

// The number of instructions in each loop and for each alternative, in the order in which they begin.
struct OrderStretches {
  static constexpr u32 kMost = kMaxOwnCode / kAlternativeCode;
  u16 code[kMost] = {};
};

template <class Sink>
struct OrderValues : EmitPlace<Sink> {
  using Base = EmitPlace<Sink>;
  using Base::c, Base::sink;
  using Base::constant, Base::op;

  TypeId type;
  OrderedValue left, right;
  u32 found;  // the slot of the result; the slots of the loops follow (order_slots)

  HD_COLD void operator()() const {
    OrderStretches stretches;
    (void)count(stretches);
    emit(stretches, nullptr);
  }
  // The number of instructions of the comparison.
  [[nodiscard]] HD_COLD u32 code_length() const {
    OrderStretches stretches;
    return count(stretches);
  }
  // `counted`: the number of instructions so far, while the stretches are not known yet.
  HD_COLD void emit(OrderStretches& stretches, const u32* counted) const {
    Walk walk{*this, stretches, counted};
    constant(0);
    store_found();
    walk.open_loop(0);
    walk_order(c, type, walk);
    sink.op(Op::Break, Scalar::None, 0);
    walk.close_loop(0);
  }

 private:
  HD_COLD u32 count(OrderStretches& stretches) const {
    Stretch<Sink> stretch;
    OrderValues<typename Stretch<Sink>::Type>{{c, stretch.sink}, type, left, right, found}.emit(
        stretches, &stretch.counted.code);
    return stretch.counted.code;
  }
  // A visitor of walk_order.
  struct Walk {
    const OrderValues& to;
    OrderStretches& stretches;
    const u32* counted;
    u32 opened = 0;                     // stretches
    u32 stretch[kMaxOrderDepth + 1]{};  // the open stretch at each depth
    u32 begin[kMaxOrderDepth + 1]{};    // where that stretch begins

    HD bool enter(const OrderStep* steps, u32 n) {
      if (steps[n].into == OrderStep::Into::Element) start_loop(steps, n);
      if (steps[n].into == OrderStep::Into::Alternative) {
        to.compare_numbers(steps, n);
        again(steps, n);
      }
      return true;
    }
    HD void part(const OrderStep* steps, u32 n, TypeId at) { to.compare_part(steps, n, at); }
    HD_COLD void leave(const OrderStep* steps, u32 n) {
      if (steps[n].into == OrderStep::Into::Alternative) close(n + 1);
      if (steps[n].into != OrderStep::Into::Element) return;
      close_loop(n + 1);
      to.leave();
      if (container_of(to.c, steps[n].type).form != TypeForm::Array) to.compare_lengths(steps, n);
    }
    HD_COLD void again(const OrderStep* steps, u32 n) {
      to.load_number(to.left, steps, n);
      to.sink.constant(kTagScalar, steps[n].alternative);
      to.sink.op(Op::Eq, kTagScalar);
      to.sink.jump_over(stretches.code[opened]);
      open(n + 1);
    }
    HD_COLD void start_loop(const OrderStep* steps, u32 n) {
      const u32 slot = to.loop_slot(steps, n);
      to.load_length(to.left, steps, n);
      to.load_length(to.right, steps, n);
      to.op(Op::Min);
      to.sink.op(Op::StoreVar, Scalar::I64, slot + 1);
      to.constant(0);
      to.sink.op(Op::StoreVar, Scalar::I64, slot);
      open_loop(n + 1);
      to.sink.op(Op::ForNext, Scalar::I64, slot, 0);
      to.op_none(Op::Tick);
    }
    HD void open_loop(u32 depth) {
      to.sink.own_loop(stretches.code[opened]);
      open(depth);
    }
    HD void close_loop(u32 depth) {
      close(depth);
      to.sink.own_end(stretches.code[stretch[depth]]);
    }
    HD void open(u32 depth) {
      stretch[depth] = opened++;
      if (counted != nullptr) begin[depth] = *counted;
    }
    HD void close(u32 depth) {
      if (counted != nullptr)
        stretches.code[stretch[depth]] = static_cast<u16>(*counted - begin[depth]);
    }
  };

  HD void store_found() const { sink.op(Op::StoreVar, Scalar::I64, found); }
  // Leaves a loop if the values differ so far.
  HD void leave() const {
    sink.op(Op::LoadVar, Scalar::I64, found);
    constant(0);
    op(Op::Eq);
    sink.op(Op::BreakIfFalse, Scalar::None);
  }
  HD u32 loop_slot(const OrderStep* steps, u32 n) const {
    u32 slot = found + 1;
    for (u32 k = 0; k < n; ++k)
      if (steps[k].into == OrderStep::Into::Element) slot += kLoopSlots;
    return slot;
  }
  // Follows the steps from a value to a place. The numbers of elements on the way go to the stack.
  HD_COLD void find(const OrderedValue& value, const OrderStep* steps, u32 n, Place& p) const {
    if (value.room == 0) {
      p.start(c, type, value.first);
    } else {
      p.start_elements(c, type, value.room, value.first);
      sink.op(Op::LoadVar, Scalar::I64, value.number);
    }
    for (u32 k = 0; k < n; ++k) {
      switch (steps[k].into) {
        case OrderStep::Into::Part: p.enter_field(c, steps[k].part); break;
        case OrderStep::Into::Alternative:
          p.enter_alternative(c, steps[k].constructor, steps[k].part);
          break;
        case OrderStep::Into::Element:
          p.enter_element(c);
          sink.op(Op::LoadVar, Scalar::I64, loop_slot(steps, k) + 2);
      }
    }
  }
  HD_COLD void load_part(const OrderedValue& value, const OrderStep* steps, u32 n) const {
    Place p;
    find(value, steps, n, p);
    this->load_cells(p);
  }
  HD_COLD void load_length(const OrderedValue& value, const OrderStep* steps, u32 n) const {
    Place p;
    find(value, steps, n, p);
    this->length(p, 0);
    this->drop_below(1, p.levels);
  }
  // Loads the number of a sum's alternative.
  HD_COLD void load_number(const OrderedValue& value, const OrderStep* steps, u32 n) const {
    Place p;
    find(value, steps, n, p);
    p.blocks = 1;
    this->load_cells(p);
  }
  HD void compare(TypeId at) const {
    if (is_scalar(at))
      sink.op(Op::Cmp, as_scalar(at));
    else
      CompareCells<Sink>{{c, sink}}(Op::Cmp, at);
    store_found();
    leave();
  }
  HD_COLD void compare_part(const OrderStep* steps, u32 n, TypeId at) const {
    load_part(left, steps, n);
    load_part(right, steps, n);
    compare(at);
  }
  HD_COLD void compare_numbers(const OrderStep* steps, u32 n) const {
    load_number(left, steps, n);
    load_number(right, steps, n);
    compare(type_of(kTagScalar));
  }
  HD_COLD void compare_lengths(const OrderStep* steps, u32 n) const {
    load_length(left, steps, n);
    load_length(right, steps, n);
    compare(type_of(Scalar::I64));
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
