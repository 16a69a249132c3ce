// SPDX-License-Identifier: Apache-2.0
// Lowering, the part on elements (lane_elements.h). The part of a loop's body that lanes can run for many iterations
// at once is lowered twice: first for elements, then for cases. Behind the part, both have their values in the same
// cells.
//
// A part has cells of its own: the block, the elements' ticks and numbers, copies of the shared values, and the
// values that each element leaves.
#include "vm/lower.h"

namespace komuz::vm {

namespace {

enum PartCell : u32 { kBlock, kTicks, kNumber, kFirstCopy };

}  // namespace

u32 BatchLowering::cells_of(const ElementPart& part) {
  return kFirstCopy + part.shared() + part.height + part.made() +
         (part.rest.folds_constant ? 1 : 0);
}

// True if an access to this slot's area by lanes with elements is to cells of their cases.
bool BatchLowering::is_at_home(u32 slot) const {
  return on_elements_ != nullptr &&
         !uses_.of(slot).is_inside(on_elements_->loop + 1, on_elements_->loop_end);
}

u32 BatchLowering::first_cell_of(const ElementPart& part) const {
  return part_cells_[static_cast<size_t>(&part - parts_.parts().data())];
}

// Called before a loop.
void BatchLowering::start_elements() {
  const ElementPart* const part = on_elements_ == nullptr ? parts_.of_loop(pc_) : nullptr;
  if (part == nullptr) return;
  emit(Control::ElementsStart).dst = offset_of(first_cell_of(*part) + kBlock);
}

// A part reads values in its lanes: shared values have been copied, and values that it leaves unread are omitted.
void BatchLowering::enter_part(const ElementPart& part, ElementLoop& loop) {
  const u32 first = first_cell_of(part);
  std::vector<CellCopy>& copies = program_->cell_copies;
  loop.counter = offset_of(part.counter);
  loop.block = offset_of(first + kBlock);
  loop.ticks = offset_of(first + kTicks);
  loop.variable = offset_of(first + kNumber);
  loop.is_inclusive = part.is_inclusive;
  loop.has_ticks = part.ticks;
  loop.skips = part.skips;
  loop.shared = static_cast<u32>(copies.size());
  const auto stands_for = [&](u32 slot, u32 cell) {
    slots_[slot] = {in_frame(cell), Where::Constant, slots_[slot].type, 0};
  };
  for (u32 k = 0; k < part.shared(); ++k) {
    const u32 slot = parts_.slot(part.shared_begin + k), cell = first + kFirstCopy + k;
    copies.push_back({offset_of(slot), offset_of(cell), scalar_bytes(slots_[slot].type)});
    stands_for(slot, cell);
  }
  for (u32 k = part.carried_begin; k < part.carried_end; ++k) {
    const u32 slot = parts_.carried(k).slot;
    slots_[slot] = {broadcast(slots_[slot].type, 0), Where::Constant, slots_[slot].type, 0};
  }
  stands_for(part.variable(), first + kNumber);
  loop.left = static_cast<u32>(copies.size());
}

// Lowers the instructions of a part. False if control does not reach its end.
bool BatchLowering::lower_instructions(const Function& f, const ElementPart& part) {
  const size_t regions = regions_.size();
  for (pc_ = part.begin;; pc_ = next_pc_) {
    close_regions();
    if (pc_ >= part.end) break;
    next_pc_ = pc_ + 1;
    lower_instruction(f, job_->code.instructions[code_begin_ + pc_]);
  }
  return is_reachable_ && pc_ == part.end && regions_.size() == regions;
}

// The values that a part leaves go to cells of its own. From there each case takes those of its element, to its place
// on the stack or to the slot.
void BatchLowering::leave_part(const ElementPart& part, u32 bottom, ElementLoop& loop) {
  u32 cell = first_cell_of(part) + kFirstCopy + part.shared();
  std::vector<CellCopy>& copies = program_->cell_copies;
  const auto leave = [&](const Value& value, u32 to) {
    move(value, cell, false);
    copies.push_back({offset_of(cell), offset_of(to), scalar_bytes(value.type)});
    ++cell;
  };
  const u32 first_left = cell;  // also the value for the rest of the body
  for (u32 k = 0; k < part.height; ++k)
    if (!parts_.is_carried(part, k)) leave(stack_[bottom + k], home(bottom + k));
  for (u32 k = part.shared_end; k < part.made_end; ++k)
    leave(slots_[parts_.slot(k)], parts_.slot(k));
  loop.left_end = static_cast<u32>(copies.size());
  if (part.rest.is_tested) loop.test = offset_of(first_left);
  loop.tests_rest = part.rest.is_tested;
  const RestOfBody& rest = part.rest;
  if (rest.kind == Rest::Any) return;
  loop.values = offset_of(first_left);
  if (rest.folds_constant) {
    loop.values = offset_of(cell);
    const u64 constant = job_->code.constants[rest.constant];
    move({broadcast(rest.type, constant), Where::Constant, rest.type, 0}, cell, false);
  }
  loop.rest = rest_handler(rest);
  loop.rest_variable = offset_of(rest.variable);
  loop.value_bytes = scalar_bytes(rest.type);
  loop.counts = rest.kind == Rest::Best;
  loop.count = offset_of(rest.count);
}

RestHandler BatchLowering::rest_handler(const RestOfBody& rest) const {
  const auto type = static_cast<u32>(rest.type);
  switch (rest.kind) {
    case Rest::Any: break;
    case Rest::Fold: return handlers_->fold[folding_number(rest.op)][type][rest.variable_is_left];
    case Rest::Pass:
      return handlers_->pass[comparison_number(rest.op)][type][rest.variable_is_left];
    case Rest::Best: return handlers_->best[rest.op == Op::Max][type];
  }
  return nullptr;
}

// Lowers a part for elements. False if control does not reach its end. The state of the lowering is then as before.
bool BatchLowering::lower_on_elements(const Function& f, const ElementPart& part,
                                      ElementLoop& loop) {
  saved_stack_ = stack_;
  saved_slots_ = slots_;
  const u32 pc = pc_, next_pc = next_pc_, kept_below = kept_below_, bottom = height();
  on_elements_ = &part;
  enter_part(part, loop);
  // The loop of a CONTINUE in the part.
  Region region = regions_.back();
  region.waiting = loop.own_region;
  regions_.push_back(region);
  waiting_ += 2;
  if (waiting_ > most_waiting_) most_waiting_ = waiting_;
  const bool comes_to_end = lower_instructions(f, part);
  if (comes_to_end) {
    leave_part(part, bottom, loop);
    emit(Control::ElementsEnd).c = static_cast<i64>(program_->element_loops.size());
  }
  waiting_ -= 2;
  regions_.pop_back();
  on_elements_ = nullptr;
  stack_ = saved_stack_;
  slots_ = saved_slots_;
  pc_ = pc;
  next_pc_ = next_pc;
  kept_below_ = kept_below;
  is_reachable_ = true;
  producer_ = 0;
  moved_ = {};
  return comes_to_end;
}

// Called behind FOR_NEXT.
void BatchLowering::lower_elements(const Function& f) {
  const ElementPart* const part =
      on_elements_ == nullptr ? parts_.of_loop(regions_.back().begin - 1) : nullptr;
  if (part == nullptr || part->begin != pc_ + 1) return;
  const auto number = static_cast<u32>(program_->element_loops.size());
  ElementLoop loop;
  loop.region = regions_.back().waiting;
  loop.own_region = static_cast<u16>(waiting_);
  const size_t ops = program_->ops.size(), live_cells = program_->live_cells.size(),
               copies = program_->cell_copies.size();
  emit(Control::Elements).c = number;
  if (!lower_on_elements(f, *part, loop)) {
    program_->ops.resize(ops);
    program_->live_cells.resize(live_cells);
    program_->cell_copies.resize(copies);
    return;
  }
  loop.each_op = static_cast<u32>(program_->ops.size());
  program_->element_loops.push_back(loop);
  regions_.back().elements = number + 1;
  open_parts_.push_back({part, number, height()});
}

// Called behind the part, lowered for cases.
void BatchLowering::join_elements() {
  const OpenPart open = open_parts_.back();
  open_parts_.pop_back();
  ElementLoop& loop = program_->element_loops[open.loop];
  std::vector<CellCopy>& copies = program_->cell_copies;
  const ElementPart& part = *open.part;
  loop.kept = static_cast<u32>(copies.size());
  for (u32 k = 0; k < part.height; ++k)
    if (!parts_.is_carried(part, k)) move_home(open.bottom + k);
  // Values that are left unread may have been copied home, for the arms of a region.
  for (u32 k = part.carried_begin; k < part.carried_end; ++k) {
    const auto [position, slot] = parts_.carried(k);
    const Value& value = stack_[open.bottom + position];
    if (value.where != Where::Cell) continue;
    copies.push_back(
        {offset_of(slot), static_cast<u32>(value.at & ~kOperandBits), scalar_bytes(value.type)});
  }
  loop.kept_end = static_cast<u32>(copies.size());
  loop.join_op = static_cast<u32>(program_->ops.size());
  producer_ = 0;
  tick_at_ = 0;
  moved_ = {};
}

}  // namespace komuz::vm
