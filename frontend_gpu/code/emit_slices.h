// SPDX-License-Identifier: Apache-2.0
// `==` and `!=` of two slices, or of a slice and a value that gives one; and `cmp` of values that are compared by
// their parts.
#pragma once
#include "frontend_gpu/code/compare_cells.h"
#include "frontend_gpu/code/emit_container.h"
#include "frontend_gpu/code/order_values.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class Sink>
struct EmitSlices : EmitContainer<Sink> {
  using Base = EmitContainer<Sink>;
  using Base::c, Base::sink;
  using Base::constant, Base::op;

  // Compares the slices on the stack. They and what the loop needs go to slots of the comparison
  // (for_each_kept_block).
  HD_COLD void compare(Index i) const {
    const TypeId type = compared_slices(c, i);
    const u32 loop =
        kept_slot(c, i) + kept_value_cells(c, c.left[i]) + kept_value_cells(c, c.right[i]);
    const u32 equal = loop + kLoopSlots, cells = type_cells(c, type);
    const u32 left = equal + 1, right = left + cells;
    sink.op(Op::StoreVars, Scalar::None, right, cells);
    sink.op(Op::StoreVars, Scalar::None, left, cells);
    sink.op(Op::LoadVar, Scalar::I64, left);
    sink.op(Op::LoadVar, Scalar::I64, right);
    op(Op::Eq);
    this->copy(Scalar::Bool, 0);
    sink.op(Op::StoreVar, Scalar::Bool, equal);
    // If the lengths differ, no element is looked at.
    sink.op(Op::Convert, Scalar::I64, static_cast<u32>(Scalar::Bool));
    sink.op(Op::LoadVar, Scalar::I64, left);
    op(Op::MulWrap);
    sink.op(Op::StoreVar, Scalar::I64, loop + 1);
    constant(0);
    sink.op(Op::StoreVar, Scalar::I64, loop);
    Stretch<Sink> stretch;
    EmitSlices<typename Stretch<Sink>::Type>{{{c, stretch.sink}}}.compare_next(type, loop, equal,
                                                                               left, right);
    sink.own_loop(stretch.counted.code);
    compare_next(type, loop, equal, left, right);
    sink.own_end(stretch.counted.code);
    sink.op(Op::LoadVar, Scalar::Bool, equal);
    if (node_kind(c, i) == Node::Ne) sink.op(Op::Not, Scalar::Bool);
  }

  // The body of the loop. A StretchSink counts these instructions, too.
  HD_COLD void compare_next(TypeId type, u32 loop, u32 equal, u32 left, u32 right) const {
    sink.op(Op::ForNext, Scalar::I64, loop, 0);
    this->op_none(Op::Tick);
    load_element(type, left, loop);
    load_element(type, right, loop);
    const TypeId held = settled(held_type(c, type));
    if (is_scalar(held))
      sink.op(Op::Ne, as_scalar(held));
    else
      CompareCells<Sink>{{c, sink}}(Op::Ne, held);
    sink.jump_over(3);
    sink.constant(Scalar::Bool, 0);
    sink.op(Op::StoreVar, Scalar::Bool, equal);
    sink.op(Op::Break, Scalar::None, 0);
  }

  // `cmp` of the two values on the stack, by their parts.
  HD_COLD void order(Index call) const {
    const TypeId type = compared_by_parts(c, call);
    u32 found = kept_slot(c, call);
    const u32 count = count_arguments(c, call);
    for (u32 k = 0; k < count; ++k) found += kept_value_cells(c, argument_at(c, call, k, count));
    const u32 left = found + order_slots(c, type), cells = type_cells(c, type),
              right = left + cells;
    sink.op(Op::StoreVars, Scalar::None, right, cells);
    sink.op(Op::StoreVars, Scalar::None, left, cells);
    OrderValues<Sink>{{c, sink}, type, {left}, {right}, found}();
    sink.op(Op::LoadVar, Scalar::I64, found);
  }

 private:
  HD_COLD void load_element(TypeId type, u32 slot, u32 loop) const {
    Place p;
    p.start(c, type, slot);
    p.enter_element(c);
    sink.op(Op::LoadVar, Scalar::I64, loop + 2);
    this->load(p);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
