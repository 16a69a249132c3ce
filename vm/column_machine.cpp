// SPDX-License-Identifier: Apache-2.0
#include "vm/column_machine.h"

#include "vm/lane_machine.h"

namespace komuz::vm {
namespace {

Operand operand_of(const ColumnMachine::Values& values) {
  return reinterpret_cast<i64>(values.data) | (values.is_one ? kForAllLanes : kInColumn);
}

}  // namespace

ColumnMachine::ColumnMachine(SimdLevel level)
    : machine_(lane_machine(level)), tile_(std::make_unique<Tile>()) {
  for (u64& word : tile_->active.words) word = ~u64{0};
  tile_->is_reordered = false;
}
ColumnMachine::~ColumnMachine() = default;
ColumnMachine::ColumnMachine(ColumnMachine&&) noexcept = default;

bool ColumnMachine::takes(Instruction i) {
  // Only conversions to integers may trap.
  const bool is_calm = !may_trap(i.op, i.type) || (i.op == Op::Convert && is_float(i.type));
  return is_pure_form(op_row(i.op).form) && is_calm;
}

void ColumnMachine::run(Instruction i, const std::array<Values, 3>& operands, void* out, u32 rows) {
  const OpForm form = op_row(i.op).form;
  const bool has_second_type = form == OpForm::Shift || form == OpForm::Convert;
  LoweredOp op;
  op.run = machine_.handlers
               .pure[static_cast<u32>(i.op)][static_cast<u32>(i.type)][has_second_type ? i.a : 0];
  op.a = operand_of(operands[0]);
  op.b = operand_of(operands[1]);
  op.c = operand_of(operands[2]);
  tile_->frame = static_cast<char*>(out);
  tile_->lanes = rows;
  op.run(&op, *tile_);
}

void ColumnMachine::to_cells(Scalar type, const Values& values, u32 rows, u64* cells) {
  LoweredOp op;
  op.run = machine_.handlers.result[static_cast<u32>(type)];
  op.a = operand_of(values);
  tile_->count = tile_->cases = rows;
  tile_->out.values = {cells, rows};
  op.run(&op, *tile_);
}

}  // namespace komuz::vm
