// SPDX-License-Identifier: Apache-2.0
// Lowers bytecode to warp code, the part on cells that are moved, pushed or compared as they are. Moves of adjacent
// cells become one operation as they are made, whatever instructions they come from.
#pragma once
#include "vm/cuda/lowering.h"

namespace komuz::vm {

// Moves the value at a position to a cell. The accumulator is free or holds that value.
template <class Storage>
HD_CALL void Lowering<Storage>::move_to(u32 position, u32 cell) {
  if (extend_move(position, cell)) return;
  WarpOp& op = emit(WarpControl::Move);
  set_operand(op, false, position);
  set_store(op, cell, stack_[position].type);
  moved_ = stack_[position].where == Where::Accumulator ? 0 : here();
}

// Adds the cell to the last operation, if that moves the cells before it. Cells are moved in this order.
template <class Storage>
HD_CALL bool Lowering<Storage>::extend_move(u32 position, u32 cell) {
  if (moved_ == 0 || moved_ != here() || pushes_) return false;
  WarpOp next;
  set_operand(next, false, position);
  WarpOp& op = op_at(moved_ - 1);
  const bool is_first = op.code == warp_opcode(WarpControl::Move);
  const bool is_constant = stack_[position].where == Where::Constant;
  const bool was_constant = is_first ? op.sources == static_cast<u32>(WarpSource::Constant)
                                     : op.code == warp_opcode(WarpControl::MoveConstants);
  const u32 count = is_first ? 1 : op.b;
  if (stack_[position].where == Where::Accumulator || is_constant != was_constant ||
      (next.flags & WarpOp::kLeftWide) != (op.flags & WarpOp::kLeftWide) || count == 0xFFFF ||
      cell != op.c + count)
    return false;
  const u32 first = is_constant ? op.d : op.a, from = is_constant ? next.d : next.a;
  const u32 step = is_first ? from - first : is_constant ? op.a : op.d;
  if (step > 1 || from != first + count * step) return false;
  op.code = warp_opcode(is_constant ? WarpControl::MoveConstants : WarpControl::MoveCells);
  op.sources = 0;
  op.flags &= static_cast<u8>(~(WarpOp::kStores | WarpOp::kStoresWide));
  op.b = static_cast<u16>(count + 1);
  if (is_constant) op.a = static_cast<u16>(step);
  if (!is_constant) op.d = step;
  return true;
}

template <class Storage>
HD_CALL void Lowering<Storage>::push_constant(Scalar type, u32 number) {
  stack_.push_back(
      {Where::Constant, type, static_cast<u32>(constants_->size()) - constants_begin_});
  constants_->push_back(canonical_cell(type, code_.constants[number]));
}

template <class Storage>
HD_CALL void Lowering<Storage>::load_constants(Instruction i) {
  for (u32 k = 0; k < i.a; ++k) push_constant(i.type, i.b + k);
}

// A computed value gets a second cell, since its two copies may change separately from here on.
template <class Storage>
HD_CALL void Lowering<Storage>::copy(u32 position) {
  const u32 to = height();
  const bool is_computed =
      stack_[position].where == Where::Accumulator || stack_[position].where == Where::Home;
  if (is_computed) {
    free_accumulator();
    move_to(position, home(to));
  }
  const Value value = stack_[position];
  stack_.push_back(value);
  producer_ = 0;
}

// Pushes the values from a position on again. The pushed values may be among the later ones.
template <class Storage>
HD_CALL void Lowering<Storage>::push_again(u32 first, u32 count) {
  for (u32 k = 0; k < count; ++k) copy(first + k);
}

// The first of the adjacent cells that hold the values: slots as they are, or the values' homes.
template <class Storage>
HD_CALL u32 Lowering<Storage>::cells_in_order(u32 first, u32 count) {
  u32 slots = 0;
  while (slots < count && stack_[first + slots].where == Where::Slot &&
         stack_[first + slots].number == stack_[first].number + slots)
    ++slots;
  if (slots == count) return stack_[first].number;
  for (u32 k = 0; k < count; ++k) send_home(first + k);
  return home(first);
}

template <class Storage>
HD_CALL void Lowering<Storage>::compare_cells(Instruction i) {
  const u32 left = cells_in_order(height() - (i.b & 0xFFFF) - i.a, i.a);
  const u32 right = cells_in_order(height() - (i.b >> 16) - i.a, i.a);
  free_accumulator();
  WarpOp& op = emit(WarpControl::EqCells);
  op.a = static_cast<u16>(left);
  op.b = static_cast<u16>(right);
  op.d = static_cast<u32>(i.type) << 16 | i.a;
  push_result(Scalar::Bool);
}

}  // namespace komuz::vm
