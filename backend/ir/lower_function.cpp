// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/lower_function.h"

#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "backend/case_state.h"
#include "lang/layout.h"

namespace komuz::backend::ir {

FunctionLowering::FunctionLowering(const ProgramModule& module, u32 number)
    : module_(module),
      w_(module.writer),
      code_(module.code),
      number_(number),
      f_(module.code.functions[number]),
      frame_(module.plan.frames[number]),
      shape_(module.code, module.plan, number),
      function_(module.functions[number]) {}

void FunctionLowering::write() {
  w_.builder.SetInsertPoint(llvm::BasicBlock::Create(w_.context, "entry", function_));
  open_frame();
  take_arguments();
  const u32 count = f_.code_end - f_.code_begin;
  for (at_ = 0; at_ < count; ++at_) {
    close_merges();
    step(code_.instructions[f_.code_begin + at_]);
  }
  finish();
}

llvm::Value* FunctionLowering::variable(llvm::Type* type, const char* name) {
  llvm::BasicBlock& entry = function_->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  return at_entry.CreateAlloca(type, nullptr, name);
}

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
  for (const AreaPlan& area : frame_.areas) {
    llvm::Type* const type = llvm::ArrayType::get(w_.type(area.type), area.slots);
    areas_.push_back(area.in_scratch ? scratch(area.offset) : variable(type, "area"));
  }
  const auto passing = [this](u32 cells, u32 offset) -> llvm::Value* {
    if (cells == 0) return nullptr;
    if (frame_.passes_in_scratch) return scratch(offset);
    return variable(llvm::ArrayType::get(w_.builder.getInt64Ty(), cells), "passed");
  };
  passed_ = passing(frame_.passed_cells, frame_.passed_offset);
  returned_ = passing(frame_.returned_cells, frame_.returned_offset);
  slots_.resize(f_.slots);
  for (u32 slot = 0; slot < f_.slots; ++slot)
    if (frame_.area_of[slot] == kNoArea)
      slots_[slot] =
          variable(w_.type(static_cast<Scalar>(code_.slot_types[f_.slots_begin + slot])), "slot");
}

void FunctionLowering::take_arguments() {
  const size_t count = shape_.parameters.size();
  const size_t first = function_->arg_size() - (shape_.parameters_in_memory ? 1 : count);
  for (u32 k = 0; k < count; ++k) {
    llvm::Value* value = nullptr;
    if (shape_.parameters_in_memory)
      value =
          w_.builder.CreateLoad(w_.type(shape_.parameters[k]),
                                w_.builder.CreateInBoundsPtrAdd(
                                    function_->getArg(static_cast<u32>(first)), integer(8 * k)));
    else
      value = function_->getArg(static_cast<u32>(first + k));
    w_.builder.CreateStore(value, slot_address(k));
  }
}

llvm::Value* FunctionLowering::slot_address(u32 slot) {
  const u32 area = frame_.area_of[slot];
  if (area == kNoArea) return slots_[slot];
  return w_.builder.CreateInBoundsGEP(w_.type(frame_.areas[area].type), areas_[area],
                                      integer(slot - frame_.areas[area].first));
}

// `offset` cells behind a slot of an area.
llvm::Value* FunctionLowering::element_address(u32 slot, llvm::Value* offset) {
  const AreaPlan& area = frame_.areas[frame_.area_of[slot]];
  llvm::Value* const index = w_.builder.CreateAdd(offset, integer(slot - area.first));
  return w_.builder.CreateInBoundsGEP(w_.type(area.type), areas_[frame_.area_of[slot]], index);
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
  llvm::EliminateUnreachableBlocks(*function_);
}

}  // namespace komuz::backend::ir
