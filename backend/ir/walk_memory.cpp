// SPDX-License-Identifier: Apache-2.0
#include <llvm/Support/MathExtras.h>

#include "backend/case_state.h"
#include "backend/ir/function_walk.h"
#include "lang/layout.h"

namespace komuz::backend::ir {

void FunctionWalk::open_memory(u32 number) {
  llvm::Argument* argument = function_->arg_begin() + number;
  const auto next = [&argument](const char* name) {
    argument->setName(name);
    return argument++;
  };
  if (shape_.has_top) top_ = next("top");
  if (shape_.has_live) frames_ = next("live");
  if (shape_.results_in_memory) results_ = next("results");
  if (frame_.scratch_bytes != 0)
    frame_scratch_ = w_.builder.CreateInBoundsPtrAdd(scratch_memory(), top_);
  for (const AreaPlan& area : frame_.areas) areas_.push_back(memory(area, "area"));
  for (const MemoryPlan& stretch : frame_.stretches)
    stretches_.push_back(memory(stretch, "stretch"));
  passed_ = memory(frame_.passed, "passed");
  given_back_ = memory(frame_.returned, "returned");
}

void FunctionWalk::take_arguments() {
  const u32 count = static_cast<u32>(shape_.parameters.size());
  const u32 arguments = static_cast<u32>(function_->arg_size());
  if (!shape_.parameters_in_memory) {
    for (u32 k = 0; k < count; ++k) store_slot(k, function_->getArg(arguments - count + k));
    return;
  }
  llvm::Value* const from = function_->getArg(arguments - 1);
  if (count >= kStretch) return copy_slots(0, from, count);
  for (u32 k = 0; k < count; ++k)
    store_slot(k, load_cell(shape_.parameters[k], cell_address(from, k)));
}

// Offsets of the plan are those of one case.
llvm::Value* FunctionWalk::memory(const MemoryPlan& plan, const char* name) {
  if (plan.cells == 0) return nullptr;
  if (plan.in_scratch)
    return w_.builder.CreateInBoundsPtrAdd(frame_scratch_, integer(u64{plan.offset} * w_.lanes));
  return variable(llvm::ArrayType::get(w_.builder.getInt64Ty(), plan.cells), name);
}

llvm::Value* FunctionWalk::scratch_memory() {
  const size_t offset = w_.lanes == 1 ? offsetof(CaseState, scratch) : offsetof(LaneState, scratch);
  return w_.builder.CreateLoad(w_.builder.getPtrTy(), state_member(w_, state_, offset));
}

llvm::Value* FunctionWalk::slot_address(u32 slot) {
  const u32 area = frame_.area_of[slot];
  if (area == kNowhere) return slots_[slot];
  return cell_address(areas_[area], slot - frame_.areas[area].first);
}

llvm::Value* FunctionWalk::load_slot(u32 slot) {
  llvm::Value* const address = slot_address(slot);
  if (frame_.area_of[slot] != kNowhere) return load_cell(slot_type(slot), address);
  return w_.builder.CreateLoad(w_.type(slot_type(slot)), address);
}

void FunctionWalk::load_slots(u32 first, u32 count) {
  if (count >= kStretch)
    return push_cells(slot_address(first), count, [&](u32 k) { return slot_type(first + k); });
  for (u32 slot = first; slot < first + count; ++slot) push(load_slot(slot), slot_type(slot));
}
void FunctionWalk::store_slots(u32 first, u32 count) {
  if (count >= kStretch) return pop_slots(first, count);
  for (u32 slot = first + count; slot-- > first;) store_slot(slot, pop());
}

// A reference's address is the number of a cell of the scratch memory, of which each has 8 bytes for each case.
void FunctionWalk::reference(Instruction i) {
  switch (op_row(i.op).form) {
    case OpForm::Ref: {
      const EvaluatedCode made = refer(pop(), i.b);
      trap_if_trapped(made);
      // Nothing reads through a reference to no cells.
      if (i.b == 0) return push(made.value, reference_to(i.type));
      const AreaPlan& area = frame_.areas[frame_.area_of[i.a]];
      llvm::Value* const frame = w_.builder.CreateLShr(top_, llvm::Log2_64(cell_bytes_));
      llvm::Value* const first =
          w_.builder.CreateAdd(frame, integer(area.offset / 8 + i.a - area.first));
      return push(w_.builder.CreateAdd(made.value, w_.splat(first)), reference_to(i.type));
    }
    case OpForm::RefPart: {
      llvm::Value* const high = pop();
      llvm::Value* const low = pop();
      const EvaluatedCode made = part_of(pop(), low, high);
      trap_if_trapped(made);
      return push(made.value, reference_to(i.type));
    }
    default: {
      llvm::Value* const offset = pop();
      const EvaluatedCode made = rest_of(pop(), offset, i.a);
      trap_if_trapped(made);
      llvm::Value* const memory = scratch_memory();
      llvm::Value* const first =
          w_.builder.CreateAnd(made.value, constant(Type::I64, 0xFFFF'FFFFu));
      return load_referred(memory, first, i.a, i.type);
    }
  }
}

}  // namespace komuz::backend::ir
