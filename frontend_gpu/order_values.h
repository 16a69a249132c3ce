// SPDX-License-Identifier: Apache-2.0
// The order of two values that hold elements and lie in slots: what is found, -1, 0 or 1, goes to a slot. Parts are compared
// one after the other, those of elements in a loop, until one pair differs; each pair of elements takes a tick. `(xs, n)`:
//
//   LOOP                     once
//     LOOP, FOR_NEXT; TICK   up to the length of the shorter list
//       an element of each; CMP; leave, if they differ
//     END; leave, if elements differ
//     the lengths; CMP; leave, if they differ
//     n of each; CMP; …
//   BREAK; END
#pragma once
#include "frontend_gpu/compare_cells.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

static_assert(kMaxOrderLevels < kMaxLevels);  // one more, where values are elements themselves
static_assert(kMaxOrderCode + 64 <= kMaxOwnCode);

// Where a value lies: in slots, or as one of `room` elements whose number is in a slot.
struct OrderedValue {
  u32 first;
  u32 room = 0, number = 0;
};

template <class Sink>
struct OrderValues : EmitPlace<Sink> {
  using Base = EmitPlace<Sink>;
  using Base::c, Base::sink;
  using Base::constant, Base::op;

  TypeId type;
  OrderedValue left, right;
  u32 found;  // the slot of what is found; those of the loops follow (order_slots)

  HD_COLD void operator()() const {
    Loops loops;
    (void)count(loops);
    emit(loops, nullptr);
  }
  // How many instructions that is.
  [[nodiscard]] HD_COLD u32 code_length() const {
    Loops loops;
    return count(loops);
  }

  // The parts of it that are counted.

  // The instructions in each loop, in the order in which they begin.
  struct Loops {
    static constexpr u32 kMost = Spelling::kCapacity / 3 + 1;
    u32 begin[kMost], code[kMost] = {};
    u32 opened = 0;
  };
  template <class Counted>
  HD_COLD void emit(Counted& loops, const u32* counted) const {
    Step steps[kMaxTypeDepth];  // to the part that is compared
    u32 n = 0;
    loops.opened = 0;
    constant(0);
    store_found();
    const u32 once = open(loops, counted);
    TypeId at = type;
    do {
      for (; is_ordered_by_elements(c, at); ++n) {
        const bool loop = has_elements(c, at);
        steps[n] = {at, 0, loop ? 0 : count_parts(c, at), loop_slot(steps, n), 0};
        if (loop) steps[n].loop = start_loop(steps, n, loops, counted);
        at = loop ? settled(held_type(c, at)) : field_type(c, at, 0);
      }
      part(steps, n, at);
      for (; n != 0; --n) {
        Step& step = steps[n - 1];
        if (++step.field < step.fields) {
          at = field_type(c, step.type, step.field);
          break;
        }
        if (step.fields == 0) end_loop(steps, n - 1, loops, counted);
      }
    } while (n != 0);
    sink.op(Op::Break, Scalar::None, 0);
    close(once, loops, counted);
  }

 private:
  static constexpr u32 kMaxTypeDepth = 66;
  struct Step {
    TypeId type;
    u32 field, fields;  // 0 fields: an element
    u32 slot, loop;     // of its loop
  };

  HD_COLD u32 count(Loops& loops) const {
    Stretch<Sink> stretch;
    OrderValues<typename Stretch<Sink>::Type>{{c, stretch.sink}, type, left, right, found}.emit(
        loops, &stretch.counted.code);
    return stretch.counted.code;
  }
  template <class Counted>
  HD u32 open(Counted& loops, const u32* counted) const {
    const u32 loop = loops.opened++;
    sink.own_loop(loops.code[loop]);
    if (counted != nullptr) loops.begin[loop] = *counted;
    return loop;
  }
  template <class Counted>
  HD void close(u32 loop, Counted& loops, const u32* counted) const {
    if (counted != nullptr) loops.code[loop] = *counted - loops.begin[loop];
    sink.own_end(loops.code[loop]);
  }
  HD void store_found() const { sink.op(Op::StoreVar, Scalar::I64, found); }
  // Leaves a loop where something has been found.
  HD void leave() const {
    sink.op(Op::LoadVar, Scalar::I64, found);
    constant(0);
    op(Op::Eq);
    sink.op(Op::BreakIfFalse, Scalar::None);
  }
  HD u32 loop_slot(const Step* steps, u32 n) const {
    u32 slot = found + 1;
    for (u32 k = 0; k < n; ++k)
      if (steps[k].fields == 0) slot += kLoopSlots;
    return slot;
  }
  // Where the steps lead from a value; the numbers of elements on the way go to the stack.
  HD_COLD void find(const OrderedValue& value, const Step* steps, u32 n, Place& p) const {
    if (value.room == 0) {
      p.start(c, type, value.first);
    } else {
      p.start_elements(c, type, value.room, value.first);
      sink.op(Op::LoadVar, Scalar::I64, value.number);
    }
    for (u32 k = 0; k < n; ++k) {
      if (steps[k].fields != 0) {
        p.enter_field(c, steps[k].field);
        continue;
      }
      p.enter_element(c);
      sink.op(Op::LoadVar, Scalar::I64, steps[k].slot + 2);
    }
  }
  HD_COLD void load_part(const OrderedValue& value, const Step* steps, u32 n) const {
    Place p;
    find(value, steps, n, p);
    this->load(p);
  }
  HD_COLD void load_length(const OrderedValue& value, const Step* steps, u32 n) const {
    Place p;
    find(value, steps, n, p);
    this->length(p, 0);
    this->drop_below(1, p.levels);
  }
  HD_COLD void part(const Step* steps, u32 n, TypeId at) const {
    load_part(left, steps, n);
    load_part(right, steps, n);
    if (is_scalar(at))
      sink.op(Op::Cmp, as_scalar(at));
    else
      CompareCells<Sink>{{c, sink}}(Op::Cmp, at);
    store_found();
    leave();
  }
  template <class Counted>
  HD_COLD u32 start_loop(const Step* steps, u32 n, Counted& loops, const u32* counted) const {
    const u32 slot = steps[n].slot;
    load_length(left, steps, n);
    load_length(right, steps, n);
    op(Op::Min);
    sink.op(Op::StoreVar, Scalar::I64, slot + 1);
    constant(0);
    sink.op(Op::StoreVar, Scalar::I64, slot);
    const u32 loop = open(loops, counted);
    sink.op(Op::ForNext, Scalar::I64, slot, 0);
    this->op_none(Op::Tick);
    return loop;
  }
  template <class Counted>
  HD_COLD void end_loop(const Step* steps, u32 n, Counted& loops, const u32* counted) const {
    close(steps[n].loop, loops, counted);
    leave();
    if (container_of(c, steps[n].type).form == TypeForm::Array) return;
    load_length(left, steps, n);
    load_length(right, steps, n);
    op(Op::Cmp);
    store_found();
    leave();
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
