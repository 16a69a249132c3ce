// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/lower_function.h"

#include <llvm/IR/Module.h>

#include "backend/case_state.h"
#include "lang/layout.h"

namespace komuz::backend::ir {

void FunctionLowering::open_frame() {
  state_ = function_->getArg(0);
  state_->setName("state");
  llvm::Argument* const left = function_->getArg(1);
  left->setName("left");
  left_ = variable(w_.builder.getInt64Ty(), "ticks");
  w_.builder.CreateStore(left, left_);
  open_memory(2);
  slots_.resize(f_.slots);
  for (u32 slot = 0; slot < f_.slots; ++slot)
    if (frame_.area_of[slot] == kNowhere) slots_[slot] = variable(w_.type(slot_type(slot)), "slot");
}

llvm::Value* FunctionLowering::load_cell(Scalar type, llvm::Value* address) {
  return w_.builder.CreateLoad(w_.type(type), address);
}
void FunctionLowering::store_cell(llvm::Value* value, llvm::Value* address) {
  w_.builder.CreateStore(value, address);
}
llvm::Value* FunctionLowering::constant_in_table(const Cell& cell) {
  return load_cell(cell.type, cell_address(cell.stretch, cell.index));
}
void FunctionLowering::move_cells(llvm::Value* to, llvm::Value* from, u32 count) {
  copy_cells(to, from, count);
}
void FunctionLowering::copy_constants(llvm::Value* to, llvm::Value* from, u32 count) {
  copy_cells(to, from, count);
}

void FunctionLowering::store_slot(u32 slot, llvm::Value* value) {
  w_.builder.CreateStore(value, slot_address(slot));
}

// `offset` cells behind a slot of an area.
llvm::Value* FunctionLowering::element_address(u32 slot, llvm::Value* offset) {
  const u32 area = frame_.area_of[slot];
  llvm::Value* const index = w_.builder.CreateAdd(offset, integer(slot - frame_.areas[area].first));
  return w_.builder.CreateInBoundsGEP(w_.builder.getInt64Ty(), areas_[area], index);
}

void FunctionLowering::access(Instruction i) {
  const AreaAccess area = area_access(i);
  llvm::Value* const offset = pop();
  // A negative offset is a large one without its sign.
  trap_if(w_.builder.CreateICmpUGE(offset, integer(area.offsets())), Trap::Index);
  llvm::Value* const first = element_address(i.a, offset);
  if (i.op == Op::LoadAt)
    push_cells(first, area.cells, [&](u32) { return i.type; });
  else
    pop_cells(first, area.cells);
}

void FunctionLowering::load_referred(llvm::Value* memory, llvm::Value* first, u32 count,
                                     Scalar type) {
  push_cells(w_.builder.CreateInBoundsGEP(w_.builder.getInt64Ty(), memory, first), count,
             [&](u32) { return type; });
}

void FunctionLowering::finish() {
  if (trapped_ != nullptr) {
    w_.builder.SetInsertPoint(trapped_);
    w_.builder.CreateStore(trap_words_, state_member(w_, state_, offsetof(CaseState, ended)));
    w_.builder.CreateStore(w_.builder.CreateLoad(w_.builder.getInt64Ty(), left_),
                           state_member(w_, state_, offsetof(CaseState, left)));
    return_failure();
  }
}

}  // namespace komuz::backend::ir
