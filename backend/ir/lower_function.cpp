// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/lower_function.h"

#include <llvm/IR/Module.h>

#include "backend/case_state.h"
#include "lang/layout.h"

namespace komuz::backend::ir {

llvm::Value* FunctionLowering::scratch(u32 offset) {
  return w_.builder.CreateInBoundsPtrAdd(frame_scratch_, integer(offset));
}

void FunctionLowering::open_frame() {
  llvm::Argument* argument = function_->arg_begin();
  const auto next = [&argument](const char* name) {
    argument->setName(name);
    return argument++;
  };
  state_ = next("state");
  llvm::Argument* const left = next("left");
  if (shape_.has_top) top_ = next("top");
  if (shape_.has_live) live_ = next("live");
  if (shape_.results_in_memory) results_ = next("results");

  left_ = variable(w_.builder.getInt64Ty(), "ticks");
  w_.builder.CreateStore(left, left_);
  if (frame_.scratch_bytes != 0) {
    llvm::Value* const memory = w_.builder.CreateLoad(
        w_.builder.getPtrTy(), state_member(w_, state_, offsetof(CaseState, scratch)));
    frame_scratch_ = w_.builder.CreateInBoundsPtrAdd(memory, top_);
  }
  for (const AreaPlan& area : frame_.areas) areas_.push_back(memory(area, "area"));
  for (const MemoryPlan& stretch : frame_.stretches)
    stretches_.push_back(memory(stretch, "stretch"));
  passed_ = memory(frame_.passed, "passed");
  returned_ = memory(frame_.returned, "returned");
  slots_.resize(f_.slots);
  for (u32 slot = 0; slot < f_.slots; ++slot)
    if (frame_.area_of[slot] == kNowhere) slots_[slot] = variable(w_.type(slot_type(slot)), "slot");
}

llvm::Value* FunctionLowering::memory(const MemoryPlan& plan, const char* name) {
  if (plan.cells == 0) return nullptr;
  if (plan.in_scratch) return scratch(plan.offset);
  return variable(llvm::ArrayType::get(w_.builder.getInt64Ty(), plan.cells), name);
}

void FunctionLowering::take_arguments() {
  const u32 count = static_cast<u32>(shape_.parameters.size());
  const u32 arguments = static_cast<u32>(function_->arg_size());
  if (!shape_.parameters_in_memory) {
    for (u32 k = 0; k < count; ++k)
      w_.builder.CreateStore(function_->getArg(arguments - count + k), slot_address(k));
    return;
  }
  llvm::Value* const from = function_->getArg(arguments - 1);
  if (count >= kStretch) return copy_cells(slot_address(0), from, count);
  for (u32 k = 0; k < count; ++k)
    w_.builder.CreateStore(
        w_.builder.CreateLoad(w_.type(shape_.parameters[k]), cell_address(from, k)),
        slot_address(k));
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

llvm::Value* FunctionLowering::slot_address(u32 slot) {
  const u32 area = frame_.area_of[slot];
  if (area == kNowhere) return slots_[slot];
  return cell_address(areas_[area], slot - frame_.areas[area].first);
}

// `offset` cells behind a slot of an area.
llvm::Value* FunctionLowering::element_address(u32 slot, llvm::Value* offset) {
  const u32 area = frame_.area_of[slot];
  llvm::Value* const index = w_.builder.CreateAdd(offset, integer(slot - frame_.areas[area].first));
  return w_.builder.CreateInBoundsGEP(w_.builder.getInt64Ty(), areas_[area], index);
}

void FunctionLowering::finish() {
  if (w_.builder.GetInsertBlock()->getTerminator() == nullptr) w_.builder.CreateUnreachable();
  if (trapped_ != nullptr) {
    w_.builder.SetInsertPoint(trapped_);
    w_.builder.CreateStore(trap_words_, state_member(w_, state_, offsetof(CaseState, ended)));
    w_.builder.CreateStore(w_.builder.CreateLoad(w_.builder.getInt64Ty(), left_),
                           state_member(w_, state_, offsetof(CaseState, left)));
    return_failure();
  }
}

}  // namespace komuz::backend::ir
