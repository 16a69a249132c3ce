// SPDX-License-Identifier: Apache-2.0
#include "backend/case_state.h"
#include "backend/ir/lower_function.h"

namespace komuz::backend::ir {

void FunctionLowering::tick() {
  llvm::Type* const i64 = w_.builder.getInt64Ty();
  llvm::Value* const left = w_.builder.CreateLoad(i64, left_);
  if (!w_.traits.slices) {
    trap_if(w_.builder.CreateICmpEQ(left, integer(0)), Trap::Fuel);
    // It is between 1 and 2^63 - 1.
    w_.builder.CreateStore(w_.builder.CreateSub(left, integer(1), "", true, true), left_);
    return;
  }
  llvm::BasicBlock* const rare = w_.block("refill");
  llvm::BasicBlock* const on = w_.block("tick");
  branch_rarely(w_.builder.CreateICmpEQ(left, integer(0)), rare, on);
  w_.builder.SetInsertPoint(rare);
  llvm::Value* const more = w_.builder.CreateCall(module_.refill, {state_});
  w_.builder.CreateStore(more, left_);
  trap_if(w_.builder.CreateICmpEQ(more, integer(0)), Trap::Fuel);
  w_.builder.CreateBr(on);
  w_.builder.SetInsertPoint(on);
  llvm::Value* const now = w_.builder.CreateLoad(i64, left_);
  w_.builder.CreateStore(w_.builder.CreateSub(now, integer(1)), left_);
}

void FunctionLowering::ticks() {
  llvm::Type* const i64 = w_.builder.getInt64Ty();
  llvm::Value* const wanted = pop();
  llvm::Value* const ticks =
      w_.builder.CreateSelect(w_.builder.CreateICmpSGT(wanted, integer(0)), wanted, integer(0));
  llvm::Value* const left = w_.builder.CreateLoad(i64, left_);
  if (!w_.traits.slices) {
    llvm::Value* const ends = w_.builder.CreateICmpUGT(ticks, left);
    llvm::Value* const now = w_.builder.CreateSub(left, ticks);
    w_.builder.CreateStore(w_.builder.CreateSelect(ends, integer(0), now), left_);
    return trap_if(ends, Trap::Fuel);
  }
  llvm::BasicBlock* const rare = w_.block("take");
  llvm::BasicBlock* const common = w_.block("ticks");
  llvm::BasicBlock* const on = w_.block("on");
  branch_rarely(w_.builder.CreateICmpUGT(ticks, left), rare, common);
  w_.builder.SetInsertPoint(common);
  w_.builder.CreateStore(w_.builder.CreateSub(left, ticks), left_);
  w_.builder.CreateBr(on);
  w_.builder.SetInsertPoint(rare);
  llvm::Value* const taken = w_.builder.CreateCall(module_.take, {state_, left, ticks});
  llvm::Value* const ends = w_.builder.CreateICmpSLT(taken, integer(0));
  w_.builder.CreateStore(w_.builder.CreateSelect(ends, integer(0), taken), left_);
  trap_if(ends, Trap::Fuel);
  w_.builder.CreateBr(on);
  w_.builder.SetInsertPoint(on);
}

void FunctionLowering::give_counts(const CallShape& /*shape*/,
                                   llvm::SmallVectorImpl<llvm::Value*>& given) {
  given.push_back(w_.builder.CreateLoad(w_.builder.getInt64Ty(), left_));
}
void FunctionLowering::take_back(const CallShape& shape, llvm::CallInst* called) {
  const bool is_alone = shape.results.empty() || shape.results_in_memory;
  llvm::Value* const left = is_alone ? called : w_.builder.CreateExtractValue(called, 0);
  llvm::BasicBlock* const on = w_.block("returned");
  branch_rarely(w_.builder.CreateICmpSLT(left, integer(0)), callee_trapped(), on);
  w_.builder.SetInsertPoint(on);
  w_.builder.CreateStore(left, left_);
}
llvm::Value* FunctionLowering::result_of(const CallShape& /*shape*/, llvm::CallInst* called,
                                         u32 k) {
  return w_.builder.CreateExtractValue(called, k + 1);
}

void FunctionLowering::return_results() {
  const u32 results = static_cast<u32>(shape_.results.size());
  llvm::Value* const left = w_.builder.CreateLoad(w_.builder.getInt64Ty(), left_);
  if (results == 0 || shape_.results_in_memory) {
    if (results != 0) pop_cells(results_, results);
    w_.builder.CreateRet(left);
  } else {
    llvm::Value* all = llvm::PoisonValue::get(function_->getReturnType());
    all = w_.builder.CreateInsertValue(all, left, 0);
    for (u32 k = 0; k < results; ++k)
      all = w_.builder.CreateInsertValue(all, value_of(stack_[stack_.size() - results + k]), k + 1);
    w_.builder.CreateRet(all);
    stack_.resize(stack_.size() - results);
  }
  end_reach();
}

void FunctionLowering::trap_if(llvm::Value* condition, Trap trap) {
  trap_if(condition, integer(trap_word(trap)));
}
void FunctionLowering::trap_if(llvm::Value* condition, llvm::Value* word) {
  if (trapped_ == nullptr) {
    trapped_ = w_.block("trapped");
    trap_words_ = llvm::PHINode::Create(w_.builder.getInt64Ty(), 8, "how", trapped_);
  }
  llvm::BasicBlock* const on = w_.block("on");
  trap_words_->addIncoming(word, w_.builder.GetInsertBlock());
  branch_rarely(condition, trapped_, on);
  w_.builder.SetInsertPoint(on);
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

void FunctionLowering::trap_always(Trap trap) {
  trap_if(w_.builder.getTrue(), trap);
  w_.builder.CreateUnreachable();
  end_reach();
}

void FunctionLowering::return_failure() {
  llvm::Type* const type = function_->getReturnType();
  llvm::Value* const failure = w_.builder.getInt64(~u64{0});
  if (type->isIntegerTy())
    w_.builder.CreateRet(failure);
  else
    w_.builder.CreateRet(w_.builder.CreateInsertValue(llvm::PoisonValue::get(type), failure, 0));
}

llvm::BasicBlock* FunctionLowering::callee_trapped() {
  if (callee_trapped_ != nullptr) return callee_trapped_;
  const llvm::IRBuilderBase::InsertPointGuard guard(w_.builder);
  callee_trapped_ = w_.block("callee_trapped");
  w_.builder.SetInsertPoint(callee_trapped_);
  llvm::Value* const ended_at = state_member(w_, state_, offsetof(CaseState, ended));
  llvm::Value* const ended = w_.builder.CreateLoad(w_.builder.getInt64Ty(), ended_at);
  w_.builder.CreateStore(w_.builder.CreateAdd(ended, integer(1u << 8)), ended_at);
  return_failure();
  return callee_trapped_;
}

}  // namespace komuz::backend::ir
