// SPDX-License-Identifier: Apache-2.0
// Lowering, the part on slots: their uses, stores to them, areas, and live cells.
//
// A slot must be in memory only if it belongs to an area: then its value lies in the frame, even that of an argument,
// since an access by an offset finds it nowhere else. Values on the virtual stack that stand for a slot are copied
// home before the slot changes.
#include "vm/lower.h"

namespace komuz::vm {

// True if lanes may need a slot's value from here on, at the end of an iteration or of a call, including further
// iterations.
bool BatchLowering::is_needed(const SlotUse& use) const {
  if (use.first == ~0u) return false;
  if (use.last >= next_pc_) return true;
  for (const Region& region : regions_)
    // A slot that is used only inside of an iteration is written in each iteration before it is read.
    if (region.kind == RegionKind::Loop && use.last >= region.begin &&
        !use.is_inside(region.begin, region.end))
      return true;
  return false;
}

// Lists the cells that lanes need behind `op`, with `height` values on the stack. Not listed for every loop and call
// of a large function, since the lists would be larger than its code.
void BatchLowering::note_live_cells(LoweredOp& op, u32 height) {
  std::vector<LiveCell>& cells = program_->live_cells;
  op.a = op.b = kLiveCellsUnknown;
  if (!job_->constants.empty())
    return;  // constants are found by lane, so lanes stay where they are
  if (slots_.size() + height + arm_types_.size() + regions_.size() > kMaxLiveCells) return;
  const auto note = [&](i64 offset, Scalar type) {
    if (type != Scalar::None) cells.push_back({static_cast<u32>(offset), scalar_bytes(type)});
  };
  const auto is_on_stack = [&](const Value& slot) {
    for (u32 position = 0; position < height; ++position)
      if (stack_[position].where == Where::Slot && stack_[position].slot == slot.slot) return true;
    return false;
  };
  op.a = static_cast<i64>(cells.size());
  for (size_t slot = 0; slot < slots_.size(); ++slot)
    if (is_needed(uses_.of(static_cast<u32>(slot))) || is_on_stack(slots_[slot]))
      note(slots_[slot].at & ~kOperandBits, slots_[slot].type);
  if (uses_.returns_early())
    for (u32 k = 0; k < result_types_.size(); ++k)
      note(offset_of(static_cast<u32>(slots_.size()) + k), result_types_[k]);
  for (u32 position = 0; position < height; ++position)
    if (stack_[position].where == Where::Cell)
      note(stack_[position].at & ~kOperandBits, stack_[position].type);
  // Values that waiting lanes have left where arms merge.
  const Scalar* type = arm_types_.data();
  for (const Region& region : regions_)
    for (u32 k = 0; k < region.values; ++k)
      note(offset_of(stack_base_ + region.height + k + region.shift), *type++);
  op.b = static_cast<i64>(cells.size());
}

// Called before slots change: copies home the values below a stack position that stand for them. If the search is
// long, all values that stand for slots are copied, so that no later search repeats it.
void BatchLowering::keep_values_of(u32 first, u32 count, u32 below) {
  constexpr u32 kMany = 64;
  const bool keeps_all = below > kept_below_ + kMany;
  for (u32 position = kept_below_; position < below; ++position) {
    const Value& v = stack_[position];
    if (v.where == Where::Slot && (keeps_all || v.slot - first < count)) move_home(position);
  }
  if (keeps_all) kept_below_ = below;
}

void BatchLowering::store(Instruction i) {
  const Value value = pop();
  keep_values_of(i.a, 1, height());
  place(value, i.a, is_masked(i.a));
  slots_[i.a].at = in_frame(i.a);
  slots_[i.a].where = Where::Slot;
}

// The values may themselves stand for some of the slots. Values that stand for a slot other than their own are kept.
void BatchLowering::store_slots(u32 first, u32 count) {
  const u32 bottom = height() - count;
  keep_values_of(first, count, bottom);
  for (u32 k = 0; k < count; ++k) {
    const Value& v = stack_[bottom + k];
    if (v.where == Where::Slot && v.slot - first < count && v.slot != first + k)
      move_home(bottom + k);
  }
  for (u32 k = 0; k < count; ++k) {
    const u32 slot = first + k;
    if (stack_[bottom + k].at == in_frame(slot)) continue;
    move(stack_[bottom + k], slot, is_masked(slot));
    slots_[slot].at = in_frame(slot);
    slots_[slot].where = Where::Slot;
  }
  shrink(bottom);
  producer_ = 0;
}

// Emits an operation for each cell. The last cell comes first, since the first one's home may hold the offset.
void BatchLowering::load_at(Instruction i) {
  const AreaAccess area = area_access(i);
  const Value offset = pop();
  const u32 bottom = height();
  const auto type = static_cast<u32>(i.type);
  const Handler handler = is_at_home(i.a) ? handlers_->load_at_home[type]
                                          : handlers_->pure[static_cast<u32>(i.op)][type][0];
  for (u32 k = area.cells; k-- > 0;) {
    const u32 cell = home(bottom + k);
    LoweredOp& op = emit(handler);
    op.dst = offset_of(cell);
    op.b = offset_of(i.a + k);
    op.c = i64{cell_pitch_} << 32 | area.offsets();
    set_operand(0, offset);
  }
  for (u32 k = 0; k < area.cells; ++k) stack_.push_back(cell_value(home(bottom + k), i.type));
  if (area.cells == 1) note_producer(i);
}

// Emits an operation for each cell. With several cells, the first stores must not change values that are still to be
// stored.
void BatchLowering::store_at(Instruction i) {
  const AreaAccess area = area_access(i);
  const u32 bottom = height() - 1 - area.cells;
  keep_values_of(i.a, area.slots, area.cells == 1 ? bottom : height());
  for (u32 k = 0; k < area.cells; ++k) {
    LoweredOp& op = emit(i, 0);
    op.dst = offset_of(i.a + k);
    op.c = i64{cell_pitch_} << 32 | area.offsets();
    set_operand(0, stack_.back());
    set_operand(1, stack_[bottom + k]);
  }
  shrink(bottom);
  producer_ = 0;
}

void BatchLowering::refer(Instruction i) {
  const u32 top = height() - 1, cell = home(top);
  LoweredOp& op = emit(i, 0);
  op.dst = offset_of(cell);
  op.b = offset_of(i.a);
  op.c = i64{cell_pitch_} << 32 | i.b;
  set_operand(0, stack_.back());
  stack_.back() = cell_value(cell, Scalar::U64);
  note_producer(i);
}

void BatchLowering::part_reference(Instruction i) {
  const u32 bottom = height() - 3, cell = home(bottom);
  emit(i, 0).dst = offset_of(cell);
  for (u32 k = 0; k < 3; ++k) set_operand(k, stack_[bottom + k]);
  shrink(bottom);
  stack_.push_back(cell_value(cell, Scalar::U64));
  note_producer(i);
}

// For more than one cell, emits a reference to them, then an operation for each. The first cell comes last, since its
// home holds the reference.
void BatchLowering::load_referred(Instruction i) {
  const u32 cells = i.a, bottom = height() - 2;
  const auto type = static_cast<u32>(i.type);
  // References in a part for elements never lead to cells of the elements themselves.
  const auto& of_cells = handlers_->pure[static_cast<u32>(i.op)][type];
  const auto& of_home = handlers_->load_ref_home[type];
  const Handler checked = on_elements_ != nullptr ? of_home[0] : of_cells[0];
  const Handler unchecked = on_elements_ != nullptr ? of_home[1] : of_cells[2];
  LoweredOp& op = emit(cells == 1 ? checked : of_cells[1]);
  op.dst = offset_of(home(bottom));
  op.c = cells == 1 ? i64{cell_pitch_} << 32 : i64{cells};
  set_operand(0, stack_[bottom + 1]);
  set_operand(1, stack_[bottom]);
  for (u32 k = cells; k-- > 0 && cells > 1;) {
    LoweredOp& load = emit(unchecked);
    load.dst = offset_of(home(bottom + k));
    load.b = in_frame(home(bottom));
    load.c = i64{cell_pitch_} << 32 | k;
  }
  shrink(bottom);
  for (u32 k = 0; k < cells; ++k) stack_.push_back(cell_value(home(bottom + k), i.type));
  if (cells == 1) note_producer(i);
}

// Pops a bool.
void BatchLowering::require(Trap trap) {
  emit(Control::Require).c = static_cast<u32>(trap);
  set_operand(0, stack_.back());
  (void)pop();
}

}  // namespace komuz::vm
