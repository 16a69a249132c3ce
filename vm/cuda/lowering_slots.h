// SPDX-License-Identifier: Apache-2.0
// Lowers bytecode to warp code, the part on slots: loads, stores and areas. Values on the virtual stack that stand
// for a slot go home before the slot changes.
#pragma once
#include "vm/cuda/lowering.h"

namespace komuz::vm {

// Called before slots change: sends the values home that stand for them. If the search is long, all values that stand
// for slots go home, so that no later search repeats it.
template <class Storage>
HD_CALL void Lowering<Storage>::keep_values_of(u32 first, u32 count, u32 below) {
  constexpr u32 kMany = 64;
  const bool keeps_all = below > kept_below_ + kMany;
  for (u32 position = kept_below_; position < below; ++position) {
    const Value& v = stack_[position];
    if (v.where == Where::Slot && (keeps_all || v.number - first < count)) send_home(position);
  }
  if (keeps_all) kept_below_ = below;
}

template <class Storage>
HD_CALL void Lowering<Storage>::load_slots(u32 first, u32 count) {
  for (u32 slot = first; slot < first + count; ++slot)
    stack_.push_back({Where::Slot, moved_as(static_cast<Scalar>(slot_types_[slot])), slot});
}

template <class Storage>
HD_CALL void Lowering<Storage>::store(u32 slot) {
  const u32 position = height() - 1;
  const bool was_made_last = stack_.back().where == Where::Accumulator && producer_ != 0;
  const u32 before = here();
  keep_values_of(slot, 1, position);
  if (was_made_last && before == here()) {
    set_store(op_at(producer_ - 1), slot, stack_.back().type);
  } else {
    if (stack_.back().where != Where::Accumulator) free_accumulator();
    move_to(position, slot);
  }
  producer_ = 0;
  shrink(position);
}

// The values may themselves stand for some of the slots. Values that stand for a slot other than their own are kept.
template <class Storage>
HD_CALL void Lowering<Storage>::store_slots(u32 first, u32 count) {
  if (count == 1) return store(first);
  const u32 bottom = height() - count;
  keep_values_of(first, count, bottom);
  for (u32 k = 0; k < count; ++k) {
    const Value& v = stack_[bottom + k];
    if (v.where == Where::Slot && v.number - first < count && v.number != first + k)
      send_home(bottom + k);
  }
  for (u32 k = 0; k < count; ++k) {
    const Value& v = stack_[bottom + k];
    if (v.where == Where::Slot && v.number == first + k) continue;
    if (v.where != Where::Accumulator) free_accumulator();
    move_to(bottom + k, first + k);
    in_accumulator_ = 0;
  }
  producer_ = 0;
  shrink(bottom);
}

// Emits an operation for each cell. The first of several cells is last, since its home may hold the offset.
template <class Storage>
HD_CALL void Lowering<Storage>::load_at(Instruction i) {
  const AreaAccess area = area_access(i);
  const u32 bottom = height() - 1;
  // The number of a constant and the number of offsets share a field.
  if (area.cells > 1 || stack_.back().where == Where::Constant) send_home(bottom);
  if (in_accumulator_ != 0 && in_accumulator_ <= bottom) free_accumulator();
  for (u32 k = area.cells; k-- > 0;) {
    WarpOp& op = emit(WarpControl::LoadAt);
    set_operand(op, false, bottom);
    op.b = static_cast<u16>(i.a + k);
    op.d = area.offsets();
    if (area.cells > 1) set_store(op, home(bottom + k), i.type);
  }
  shrink(bottom);
  if (area.cells > 1) {
    for (u32 k = 0; k < area.cells; ++k) stack_.push_back({Where::Home, i.type, 0});
    producer_ = 0;
  } else {
    push_result(i.type);
  }
}

// Emits an operation for each cell. None of them changes the accumulator.
template <class Storage>
HD_CALL void Lowering<Storage>::store_at(Instruction i) {
  const AreaAccess area = area_access(i);
  const u32 top = height() - 1, bottom = top - area.cells;
  keep_values_of(i.a, area.slots, area.cells == 1 ? bottom : height());
  for (u32 position = bottom; position <= top; ++position)
    if (stack_[position].where == Where::Constant) send_home(position);
  for (u32 k = 0; k < area.cells; ++k) {
    WarpOp& op = emit(WarpControl::StoreAt);
    set_operand(op, false, top);
    set_operand(op, true, bottom + k);
    op.c = static_cast<u16>(i.a + k);
    op.d = area.offsets();
  }
  producer_ = 0;
  shrink(bottom);
}

// Pushes the result of the operation emitted last.
template <class Storage>
HD_CALL void Lowering<Storage>::push_result(Scalar type) {
  stack_.push_back({Where::Accumulator, type, 0});
  in_accumulator_ = height();
  producer_ = here();
}

template <class Storage>
HD_CALL void Lowering<Storage>::refer(Instruction i) {
  const u32 top = height() - 1;
  if (stack_.back().where == Where::Constant) send_home(top);
  if (in_accumulator_ != 0 && in_accumulator_ <= top) free_accumulator();
  WarpOp& op = emit(WarpControl::Refer);
  set_operand(op, false, top);
  op.b = i.a;
  op.d = i.b;
  shrink(top);
  push_result(Scalar::U64);
}

template <class Storage>
HD_CALL void Lowering<Storage>::part_reference() {
  const u32 bottom = height() - 3;
  if (stack_.back().where != Where::Slot) send_home(bottom + 2);
  if (in_accumulator_ != 0 && in_accumulator_ <= bottom) free_accumulator();
  WarpOp& op = emit(WarpControl::PartOfReference);
  set_operand(op, false, bottom);
  set_operand(op, true, bottom + 1);
  const Value& high = stack_.back();
  op.c = static_cast<u16>(high.where == Where::Slot ? high.number : home(bottom + 2));
  shrink(bottom);
  push_result(Scalar::U64);
  producer_ = 0;
}

// For more than one cell, a reference to them first goes to the first one's home. The cells follow, the last one
// first.
template <class Storage>
HD_CALL void Lowering<Storage>::load_referred(Instruction i) {
  const u32 cells = i.a, bottom = height() - 2;
  if (stack_.back().where == Where::Constant) send_home(bottom + 1);
  if (in_accumulator_ != 0 && in_accumulator_ <= bottom) free_accumulator();
  WarpOp& op = emit(cells > 1 ? WarpControl::RestOfReference : WarpControl::LoadRef);
  set_operand(op, false, bottom + 1);
  set_operand(op, true, bottom);
  op.d = cells;
  if (cells == 1) {
    shrink(bottom);
    return push_result(i.type);
  }
  set_store(op, home(bottom), Scalar::U64);
  shrink(bottom);
  stack_.push_back({Where::Home, Scalar::U64, 0});
  for (u32 k = cells; k-- > 0;) {
    WarpOp& load = emit(WarpControl::LoadReferred);
    load.a = static_cast<u16>(k);
    set_operand(load, true, bottom);
    set_store(load, home(bottom + k), i.type);
  }
  stack_.back().type = i.type;
  for (u32 k = 1; k < cells; ++k) stack_.push_back({Where::Home, i.type, 0});
  producer_ = 0;
}

template <class Storage>
HD_CALL void Lowering<Storage>::require(Trap trap) {
  emit_test(WarpControl::Require).d = static_cast<u32>(trap);
}

}  // namespace komuz::vm
