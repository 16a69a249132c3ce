// SPDX-License-Identifier: Apache-2.0
// Lowering, the part on many cells at once. Moves of adjacent cells become one operation as they are made, whatever
// instructions they come from: arrays are filled, copied, stored and returned without an operation for each cell.
#include "vm/lower.h"

namespace komuz::vm {

void BatchLowering::move(const Value& from, u32 cell, bool masked) {
  if (extend_move(from, cell, masked)) return;
  LoweredOp& op = emit(handlers_->move[static_cast<u32>(from.type)]);
  op.dst = offset_of(cell);
  op.masked = masked;
  set_operand(0, from);
  // Columns of arguments are not adjacent, and move on from tile to tile.
  const bool may_go_on = from.where != Where::Column;
  moved_ = {.op = may_go_on ? program_->ops.size() : 0,
            .bytes = scalar_bytes(from.type),
            .next_dst = op.dst + cell_pitch_,
            .steps = {.cells = 1, .a = 0, .b = cell_pitch_}};
}

// Moves a value to a cell that is, or was just before, the topmost one. The operation that made the value writes it
// there directly, if no operation followed.
void BatchLowering::place(const Value& top, u32 cell, bool masked) {
  if (top.where == Where::Cell && producer_ != 0) {
    LoweredOp& op = program_->ops[producer_ - 1];
    op.dst = offset_of(cell);
    op.masked = masked;
  } else if (top.at != in_frame(cell)) {
    move(top, cell, masked);
  }
  producer_ = 0;
}

// Moves the topmost values to adjacent cells.
void BatchLowering::place_values(u32 count, u32 cell, bool masked) {
  const u32 bottom = height() - count;
  if (count == 1) return place(stack_.back(), cell, masked);
  for (u32 k = 0; k < count; ++k)
    if (stack_[bottom + k].at != in_frame(cell + k)) move(stack_[bottom + k], cell + k, masked);
}

// Adds the cell to the last operation, if that moves the cells before it. Cells are moved in this order.
bool BatchLowering::extend_move(const Value& from, u32 cell, bool masked) {
  if (moved_.op != program_->ops.size() || moved_.op == 0) return false;
  LoweredOp& op = program_->ops.back();
  CellSteps steps = moved_.steps;
  if (steps.cells == 1) steps.a = from.at - op.a;
  const bool is_next = from.where != Where::Column && from.at == op.a + steps.cells * steps.a &&
                       (steps.a & kOperandBits) == 0 && offset_of(cell) == moved_.next_dst &&
                       masked == op.masked && scalar_bytes(from.type) == moved_.bytes;
  if (!is_next || !CellSteps::fits(steps.a) || steps.cells == CellSteps::kMostCells) return false;
  ++steps.cells;
  op.run = handlers_->move_cells[static_cast<u32>(from.type)];
  op.c = steps.packed();
  moved_.steps = steps;
  moved_.next_dst += cell_pitch_;
  producer_ = 0;
  return true;
}

// Pushes the values from a position on again. The pushed values may be among the later ones. A value in a home cell
// is copied, since the two may change separately from here on.
void BatchLowering::push_again(u32 first, u32 count) {
  for (u32 k = 0; k < count; ++k) {
    const Value value = stack_[first + k];
    stack_.push_back(value);
    if (value.where == Where::Cell) move_home(height() - 1);
  }
  producer_ = 0;
}

void BatchLowering::load_constants(Instruction i) {
  for (u32 k = 0; k < i.a; ++k) stack_.push_back(constant(i.type, i.b + k));
}

// How many values from a position on, at most `most`, lie at equal distances.
u32 BatchLowering::cells_in_steps(u32 first, u32 most, i64& step) const {
  const auto is_step = [&](u32 position) {
    const Value &from = stack_[position - 1], &to = stack_[position];
    return from.where != Where::Column && to.where != Where::Column && to.at - from.at == step &&
           ((from.at ^ to.at) & kOperandBits) == 0;
  };
  u32 cells = 1;
  step = most > 1 ? stack_[first + 1].at - stack_[first].at : 0;
  if (!CellSteps::fits(step)) step = 0;
  while (cells < most && is_step(first + cells)) ++cells;
  return cells;
}

// Emits an operation for each run of pairs at equal distances, mostly one for all.
void BatchLowering::compare_cells(Instruction i) {
  const u32 first = height() - (i.b & 0xFFFF) - i.a, second = height() - (i.b >> 16) - i.a;
  const u32 cell = home(height());
  for (u32 k = 0; k < i.a;) {
    CellSteps steps{};
    steps.cells = cells_in_steps(first + k, i.a - k, steps.a);
    steps.cells = cells_in_steps(second + k, steps.cells, steps.b);
    LoweredOp& op = emit(handlers_->compare_cells[static_cast<u32>(i.type)]);
    op.dst = offset_of(cell);
    op.c = steps.packed();
    op.flag = k != 0 ? 1 : 0;
    set_operand(0, stack_[first + k]);
    set_operand(1, stack_[second + k]);
    k += steps.cells;
    if (steps.cells == i.a) note_producer(i);
  }
  stack_.push_back(cell_value(cell, Scalar::Bool));
}

}  // namespace komuz::vm
