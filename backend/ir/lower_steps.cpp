// SPDX-License-Identifier: Apache-2.0
#include "backend/case_state.h"
#include "backend/ir/lower_function.h"

namespace komuz::backend::ir {

llvm::Value* FunctionLowering::load_slot(u32 slot) {
  return w_.builder.CreateLoad(w_.type(slot_type(slot)), slot_address(slot));
}
void FunctionLowering::store_slot(u32 slot, llvm::Value* value) {
  w_.builder.CreateStore(value, slot_address(slot));
}

void FunctionLowering::trap_if_trapped(const EvaluatedCode& made) {
  if (made.first != nullptr && made.second != nullptr)
    trap_if(w_.builder.CreateOr(made.first, made.second),
            w_.builder.CreateSelect(made.first, integer(trap_word(made.first_trap)),
                                    integer(trap_word(made.second_trap))));
  else if (made.first != nullptr)
    trap_if(made.first, made.first_trap);
  else if (made.second != nullptr)
    trap_if(made.second, made.second_trap);
}

void FunctionLowering::load_slots(u32 first, u32 count) {
  if (count >= kStretch)
    return push_cells(slot_address(first), count, [&](u32 k) { return slot_type(first + k); });
  for (u32 slot = first; slot < first + count; ++slot) push(load_slot(slot), slot_type(slot));
}
void FunctionLowering::store_slots(u32 first, u32 count) {
  if (count >= kStretch) return pop_cells(slot_address(first), count);
  for (u32 slot = first + count; slot-- > first;) store_slot(slot, pop());
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

// A reference's address is the number of a cell of the scratch memory.
void FunctionLowering::reference(Instruction i) {
  if (i.op == Op::Ref) {
    const EvaluatedCode made = refer(pop(), i.b);
    trap_if_trapped(made);
    // Nothing reads through a reference to no cells.
    if (i.b == 0) return push(made.value, reference_to(i.type));
    const AreaPlan& area = frame_.areas[frame_.area_of[i.a]];
    llvm::Value* const frame = w_.builder.CreateLShr(top_, 3);
    llvm::Value* const first =
        w_.builder.CreateAdd(frame, integer(area.offset / 8 + i.a - area.first));
    push(w_.builder.CreateAdd(made.value, first), reference_to(i.type));
  } else if (i.op == Op::RefPart) {
    llvm::Value* const high = pop();
    llvm::Value* const low = pop();
    const EvaluatedCode made = part_of(pop(), low, high);
    trap_if_trapped(made);
    push(made.value, reference_to(i.type));
  } else {
    llvm::Value* const offset = pop();
    const EvaluatedCode made = rest_of(pop(), offset, i.a);
    trap_if_trapped(made);
    llvm::Value* const memory = w_.builder.CreateLoad(
        w_.builder.getPtrTy(), state_member(w_, state_, offsetof(CaseState, scratch)));
    llvm::Value* const first = w_.builder.CreateAnd(made.value, integer(0xFFFF'FFFFu));
    push_cells(w_.builder.CreateInBoundsGEP(w_.builder.getInt64Ty(), memory, first), i.a,
               [&](u32) { return i.type; });
  }
}

}  // namespace komuz::backend::ir
