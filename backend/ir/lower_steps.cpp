// SPDX-License-Identifier: Apache-2.0
#include "backend/case_state.h"
#include "backend/ir/lower_function.h"
#include "lang/layout.h"
#include "lang/ops/eval_cells.h"

namespace komuz::backend::ir {
void FunctionLowering::step(Instruction i) {
  switch (op_row(i.op).form) {
    case OpForm::Const: push(constant_cell(i.type, code_.constants[i.b]), i.type); break;
    case OpForm::Load: load_slots(i.a, 1); break;
    case OpForm::Store: store_slots(i.a, 1); break;
    case OpForm::LoadSlots: load_slots(i.a, i.b); break;
    case OpForm::StoreSlots: store_slots(i.a, i.b); break;
    case OpForm::LoadAt:
    case OpForm::StoreAt: access(i); break;
    case OpForm::Ref:
    case OpForm::RefPart:
    case OpForm::LoadRef: reference(i); break;
    case OpForm::Copy: {
      const size_t first = stack_.size() - 1 - i.a - i.b;
      for (u32 k = 0; k <= i.b; ++k) stack_.push_back(Cell(stack_[first + k]));
      break;
    }
    case OpForm::Repeat: repeat(i.a, i.b); break;
    case OpForm::Consts: push_constants(i.type, i.b, i.a); break;
    case OpForm::EqCells: compare_cells(i); break;
    case OpForm::Hole:
      trap_always(Trap::Hole);
      push(constant_cell(i.type, 0), i.type);
      break;
    case OpForm::Project: project(i); break;
    case OpForm::Branch: branch(i); break;
    case OpForm::Jump: end_first_arm(i); break;
    case OpForm::ShortCircuit: short_circuit(i); break;
    case OpForm::Loop: open_loop(i); break;
    case OpForm::BreakIf: leave_loop_unless(pop()); break;
    case OpForm::ForNext: for_next(i); break;
    case OpForm::LoopExit: exit_loop(i); break;
    case OpForm::End: end_loop(); break;
    case OpForm::Slot: limit(i); break;
    case OpForm::Plain: tick(); break;
    case OpForm::Ticks: ticks(); break;
    case OpForm::Call: call(i); break;
    case OpForm::Return: return_results(); break;
    case OpForm::Assert: trap_if(w_.builder.CreateNot(pop()), Trap::Assert); break;
    case OpForm::Require: trap_if(w_.builder.CreateNot(pop()), static_cast<Trap>(i.a)); break;
    case OpForm::TrapNow: trap_always(static_cast<Trap>(i.a)); break;
    case OpForm::Unary:
    case OpForm::Binary:
    case OpForm::Ternary:
    case OpForm::Shift:
    case OpForm::Compare:
    case OpForm::Order:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::Near:
    case OpForm::Convert: compute(i); break;
  }
}

void FunctionLowering::compute(Instruction i) {
  const OpForm form = op_row(i.op).form;
  const u32 count = operand_count(form);
  llvm::Value* operands[3] = {};
  for (u32 n = count; n-- > 0;) operands[n] = pop();
  const EvaluatedCode made = evaluate(i, operands);
  trap_if_trapped(made);
  push(made.value, result_type(form, i.type));
}

// A trap of the first mask goes before one of the second.
void FunctionLowering::trap_if_trapped(const EvaluatedCode& made) {
  if (made.first != nullptr && made.second != nullptr)
    trap_if(w_.builder.CreateOr(made.first, made.second),
            w_.builder.CreateSelect(made.first, trap_word(made.first_trap),
                                    trap_word(made.second_trap)));
  else if (made.first != nullptr)
    trap_if(made.first, made.first_trap);
  else if (made.second != nullptr)
    trap_if(made.second, made.second_trap);
}

void FunctionLowering::load_slots(u32 first, u32 count) {
  if (count >= kStretch)
    return push_cells(slot_address(first), count, [&](u32 k) { return slot_type(first + k); });
  for (u32 slot = first; slot < first + count; ++slot)
    push(w_.builder.CreateLoad(w_.type(slot_type(slot)), slot_address(slot)), slot_type(slot));
}
void FunctionLowering::store_slots(u32 first, u32 count) {
  if (count >= kStretch) return pop_cells(slot_address(first), count);
  for (u32 slot = first + count; slot-- > first;) w_.builder.CreateStore(pop(), slot_address(slot));
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

void FunctionLowering::compare_cells(Instruction i) {
  const size_t first = stack_.size() - (i.b & 0xFFFF) - i.a;
  const size_t second = stack_.size() - (i.b >> 16) - i.a;
  llvm::Value* all = nullptr;
  for (u32 k = 0; k < i.a; ++k) {
    llvm::Value* const pair[] = {value_of(stack_[first + k]), value_of(stack_[second + k])};
    llvm::Value* const same = evaluate({Op::Eq, i.type, 0, 0}, pair).value;
    all = all == nullptr ? same : w_.builder.CreateAnd(all, same);
  }
  push(all, Scalar::Bool);
}

// Keeps a of the topmost cells.
void FunctionLowering::project(Instruction i) {
  const size_t bottom = stack_.size() - (i.b >> 16), first = bottom + (i.b & 0xFFFF);
  for (u32 k = 0; k < i.a; ++k) stack_[bottom + k] = stack_[first + k];
  stack_.resize(bottom + i.a);
}

void FunctionLowering::for_next(Instruction i) {
  llvm::Type* const type = w_.type(i.type);
  llvm::Value* const next_at = slot_address(i.a);
  llvm::Value* const bound_at = slot_address(i.a + 1u);
  llvm::Value* const next = w_.builder.CreateLoad(type, next_at);
  llvm::Value* const bound = w_.builder.CreateLoad(type, bound_at);
  llvm::Value* const ends[] = {next, bound};
  leave_loop_unless(evaluate({i.b == 0 ? Op::Lt : Op::Le, i.type, 0, 0}, ends).value);
  w_.builder.CreateStore(next, slot_address(i.a + 2u));
  llvm::Value* const one = constant_cell(i.type, 1);
  llvm::Value* const step[] = {next, one};
  if (i.b == 0) {
    // It is less than the bound, so the sum is a number of the type.
    w_.builder.CreateStore(evaluate({Op::AddWrap, i.type, 0, 0}, step).value, next_at);
    return;
  }
  const EvaluatedCode stepped = evaluate({Op::Add, i.type, 0, 0}, step);
  llvm::Value* const lower[] = {bound, one};
  const EvaluatedCode lowered = evaluate({Op::SubWrap, i.type, 0, 0}, lower);
  w_.builder.CreateStore(select(stepped.first, next, stepped.value), next_at);
  w_.builder.CreateStore(select(stepped.first, lowered.value, bound), bound_at);
}

void FunctionLowering::limit(Instruction i) {
  llvm::Value* const address = slot_address(i.a);
  llvm::Value* const left = w_.builder.CreateLoad(w_.builder.getInt64Ty(), address);
  trap_if(w_.builder.CreateICmpSLE(left, integer(0)), Trap::Limit);
  w_.builder.CreateStore(w_.builder.CreateSub(left, integer(1)), address);
}

}  // namespace komuz::backend::ir
