// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/function_walk.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "backend/ir/debug_places.h"
#include "lang/layout.h"
#include "lang/ops/eval_cells.h"

namespace komuz::backend::ir {

FunctionWalk::FunctionWalk(const ProgramModule& module, u32 number)
    : module_(module),
      w_(module.writer),
      code_(module.code),
      number_(number),
      f_(module.code.functions[number]),
      frame_(module.plan.frames[number]),
      shape_(module.code, module.plan, number),
      function_(module.functions[number]),
      cell_bytes_(8 * u64{module.writer.lanes}) {}

void FunctionWalk::write() {
  w_.builder.SetInsertPoint(llvm::BasicBlock::Create(w_.context, "entry", function_));
  if (w_.places != nullptr) w_.places->open(*function_, number_);
  stand_at(0);
  open_frame();
  take_arguments();
  const u32 count = f_.code_end - f_.code_begin;
  for (at_ = 0; at_ < count; ++at_) {
    close_merges();
    stand_at(at_);
    step(code_.instructions[f_.code_begin + at_]);
  }
  if (w_.builder.GetInsertBlock()->getTerminator() == nullptr) w_.builder.CreateUnreachable();
  finish();
  w_.builder.SetCurrentDebugLocation({});
  llvm::EliminateUnreachableBlocks(*function_);
}

void FunctionWalk::stand_at(u32 at) {
  if (w_.places != nullptr) w_.builder.SetCurrentDebugLocation(w_.places->at(f_.code_begin + at));
}

llvm::Value* FunctionWalk::variable(llvm::Type* type, const char* name) {
  llvm::BasicBlock& entry = function_->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  return at_entry.CreateAlloca(type, nullptr, name);
}

Scalar FunctionWalk::slot_type(u32 slot) const {
  return static_cast<Scalar>(code_.slot_types[f_.slots_begin + slot]);
}

void FunctionWalk::branch_rarely(llvm::Value* condition, llvm::BasicBlock* rare,
                                 llvm::BasicBlock* common) {
  w_.builder.CreateCondBr(condition, rare, common,
                          llvm::MDBuilder(w_.context).createUnlikelyBranchWeights());
}
void FunctionWalk::end_reach() {
  w_.builder.SetInsertPoint(w_.block("behind"));
  lives_ = false;
}
void FunctionWalk::go_to(llvm::BasicBlock* block) {
  if (lives_)
    w_.builder.CreateBr(block);
  else
    w_.builder.CreateUnreachable();
}

void FunctionWalk::step(Instruction i) {
  switch (op_row(i.op).form) {
    case OpForm::Const: stack_.push_back(constant_of(i.b, i.type)); break;
    case OpForm::Load:
      push(load_slot(i.a), slot_type(i.a));
      stack_.back().common = common_of(i.a);
      break;
    case OpForm::Store: {
      llvm::Value* const common = stack_.back().common;
      store_slot(i.a, pop());
      set_common(i.a, common);
      break;
    }
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

void FunctionWalk::compute(Instruction i) {
  const OpForm form = op_row(i.op).form;
  const u32 count = operand_count(form);
  llvm::Value* operands[3] = {};
  llvm::Value* const common = common_result(i, stack_.data() + (stack_.size() - count));
  for (u32 n = count; n-- > 0;) operands[n] = pop();
  const EvaluatedCode made = evaluate(i, operands);
  trap_if_trapped(made);
  push(made.value, result_type(form, i.type));
  stack_.back().common = common;
}

void FunctionWalk::compare_cells(Instruction i) {
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
void FunctionWalk::project(Instruction i) {
  const size_t bottom = stack_.size() - (i.b >> 16), first = bottom + (i.b & 0xFFFF);
  for (u32 k = 0; k < i.a; ++k) stack_[bottom + k] = stack_[first + k];
  stack_.resize(bottom + i.a);
}

void FunctionWalk::for_next(Instruction i) {
  llvm::Value* const next = load_slot(i.a);
  llvm::Value* const bound = load_slot(i.a + 1u);
  llvm::Value* const common = common_of(i.a);
  llvm::Value* const ends[] = {next, bound};
  leave_loop_unless(evaluate({i.b == 0 ? Op::Lt : Op::Le, i.type, 0, 0}, ends).value);
  store_slot(i.a + 2u, next);
  set_common(i.a + 2u, common);
  llvm::Value* const one = constant_cell(i.type, 1);
  llvm::Value* const step[] = {next, one};
  if (i.b == 0) {
    // It is less than the bound, so the sum is a number of the type.
    store_slot(i.a, evaluate({Op::AddWrap, i.type, 0, 0}, step).value);
    if (common != nullptr) set_common(i.a, w_.builder.CreateAdd(common, integer(1)));
    return;
  }
  const EvaluatedCode stepped = evaluate({Op::Add, i.type, 0, 0}, step);
  llvm::Value* const lower[] = {bound, one};
  const EvaluatedCode lowered = evaluate({Op::SubWrap, i.type, 0, 0}, lower);
  store_slot(i.a, select(stepped.first, next, stepped.value));
  store_slot(i.a + 1u, select(stepped.first, lowered.value, bound));
}

void FunctionWalk::limit(Instruction i) {
  llvm::Value* const left = load_slot(i.a);
  trap_if(w_.builder.CreateICmpSLE(left, constant(Type::I64, 0)), Trap::Limit);
  store_slot(i.a, w_.builder.CreateSub(left, constant(Type::I64, 1)));
}

}  // namespace komuz::backend::ir
