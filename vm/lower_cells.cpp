// SPDX-License-Identifier: Apache-2.0
// Lowering, the part on many cells of the operand stack at once.
#include "vm/lower.h"

namespace komuz::vm {

// The values from a position on, of which those that are pushed may be among the later ones. What lies in a home cell is
// copied: cells go their own ways from here on.
void Lowering::push_again(u32 first, u32 count) {
  for (u32 k = 0; k < count; ++k) {
    const Value value = stack_[first + k];
    stack_.push_back(value);
    if (value.where == Where::Cell) move_home(height() - 1);
  }
  producer_ = 0;
}

void Lowering::load_constants(Instruction i) {
  for (u32 k = 0; k < i.a; ++k)
    stack_.push_back(
        {broadcast(i.type, job_->code.constants[i.b + k]), Where::Constant, i.type, 0});
}

// How many values from a position on, at most `most`, lie one behind the other in equal steps.
u32 Lowering::cells_in_steps(u32 first, u32 most, i64& step) const {
  const auto is_step = [&](u32 position) {
    const Value &from = stack_[position - 1], &to = stack_[position];
    return from.where != Where::Column && to.where != Where::Column && to.at - from.at == step &&
           ((from.at ^ to.at) & kOperandBits) == 0;
  };
  step = most > 1 ? stack_[first + 1].at - stack_[first].at : 0;
  if (step > CellSteps::kMostStep || step < -CellSteps::kMostStep) return 1;
  u32 cells = 1;
  while (cells < most && is_step(first + cells)) ++cells;
  return cells;
}

// An operation for each stretch of pairs that lie in equal steps, mostly one for all.
void Lowering::compare_cells(Instruction i) {
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
