// SPDX-License-Identifier: Apache-2.0
#include "backend/case_state.h"
#include "backend/ir/lane_function.h"

namespace komuz::backend::ir {

// Lanes that run end with a word each.
void LaneLowering::end_lanes(llvm::Value* lanes, llvm::Value* words) {
  llvm::Value* const at = state_rows(offsetof(LaneState, ended));
  llvm::Value* const before = w_.builder.CreateAlignedLoad(w_.type(Type::I64), at, kRowAlign);
  w_.builder.CreateAlignedStore(w_.builder.CreateSelect(lanes, words, before), at, kRowAlign);
  w_.builder.CreateStore(w_.builder.CreateAnd(live(), w_.builder.CreateNot(lanes)), live_);
}

void LaneLowering::trap_if(llvm::Value* condition, Trap trap) {
  if (const auto* const known = llvm::dyn_cast<llvm::Constant>(condition))
    if (known->isNullValue()) return;
  llvm::Value* const lanes = w_.builder.CreateAnd(live(), condition);
  llvm::BasicBlock* const rare = w_.block("trap");
  llvm::BasicBlock* const on = w_.block("on");
  branch_rarely(w_.any(lanes), rare, on);
  w_.builder.SetInsertPoint(rare);
  end_lanes(lanes, constant(Type::I64, trap_word(trap)));
  leave_if_none(rare, on);
}
void LaneLowering::trap_all_if(llvm::Value* condition, Trap trap) {
  llvm::BasicBlock* const rare = w_.block("trap_all");
  llvm::BasicBlock* const on = w_.block("on");
  branch_rarely(condition, rare, on);
  w_.builder.SetInsertPoint(rare);
  end_lanes(live(), constant(Type::I64, trap_word(trap)));
  if (lives_)
    w_.builder.CreateBr(skip_from(rare));
  else
    w_.builder.CreateUnreachable();
  w_.builder.SetInsertPoint(on);
}
void LaneLowering::trap_if_trapped(const EvaluatedCode& made) {
  if (made.first != nullptr) trap_if(made.first, made.first_trap);
  if (made.second != nullptr) trap_if(made.second, made.second_trap);
}
void LaneLowering::trap_always(Trap trap) {
  end_lanes(live(), constant(Type::I64, trap_word(trap)));
  for (Region& region : regions_) region.has_leavers = true;
  skip_all();
}

// Looks at the budgets, and takes `wanted` ticks of each lane that runs.
void LaneLowering::synchronise(llvm::Value* wanted) {
  llvm::Value* const used = w_.builder.CreateLoad(w_.type(Type::I32), used_);
  llvm::Value* const both =
      w_.builder.CreateCall(module_.synchronise, {state_, used, live(), wanted});
  w_.builder.CreateStore(w_.builder.CreateExtractValue(both, 0), slice_);
  w_.builder.CreateStore(constant(Type::I32, 0), used_);
  trap_if(w_.builder.CreateExtractValue(both, 1), Trap::Fuel);
}

// The slice counts the ticks of all lanes that run here or elsewhere, so no lane has used more.
void LaneLowering::tick() {
  llvm::Value* const slice = w_.builder.CreateLoad(w_.builder.getInt64Ty(), slice_);
  llvm::BasicBlock* const rare = w_.block("look");
  llvm::BasicBlock* const common = w_.block("tick");
  llvm::BasicBlock* const on = w_.block("on");
  branch_rarely(w_.builder.CreateICmpEQ(slice, integer(0)), rare, common);
  w_.builder.SetInsertPoint(rare);
  synchronise(w_.builder.CreateZExt(live(), w_.type(Type::I64)));
  w_.builder.CreateBr(on);
  w_.builder.SetInsertPoint(common);
  w_.builder.CreateStore(w_.builder.CreateSub(slice, integer(1)), slice_);
  llvm::Type* const i32 = w_.type(Type::I32);
  llvm::Value* const used = w_.builder.CreateLoad(i32, used_);
  w_.builder.CreateStore(w_.builder.CreateSub(used, w_.builder.CreateSExt(live(), i32)), used_);
  w_.builder.CreateBr(on);
  w_.builder.SetInsertPoint(on);
}

void LaneLowering::ticks() {
  llvm::Value* const zero = constant(Type::I64, 0);
  llvm::Value* const count = pop();
  llvm::Value* const takes = w_.builder.CreateAnd(live(), w_.builder.CreateICmpSGT(count, zero));
  llvm::Value* const wanted = w_.builder.CreateSelect(takes, count, zero);
  llvm::Value* const most = w_.builder.CreateIntMaxReduce(wanted, false);
  llvm::Value* const slice = w_.builder.CreateLoad(w_.builder.getInt64Ty(), slice_);
  llvm::BasicBlock* const rare = w_.block("look");
  llvm::BasicBlock* const common = w_.block("ticks");
  llvm::BasicBlock* const on = w_.block("on");
  branch_rarely(w_.builder.CreateICmpUGT(most, slice), rare, common);
  w_.builder.SetInsertPoint(rare);
  synchronise(wanted);
  w_.builder.CreateBr(on);
  w_.builder.SetInsertPoint(common);
  w_.builder.CreateStore(w_.builder.CreateSub(slice, most), slice_);
  llvm::Type* const i32 = w_.type(Type::I32);
  llvm::Value* const used = w_.builder.CreateLoad(i32, used_);
  w_.builder.CreateStore(w_.builder.CreateAdd(used, w_.builder.CreateTrunc(wanted, i32)), used_);
  w_.builder.CreateBr(on);
  w_.builder.SetInsertPoint(on);
}

void LaneLowering::give_counts(const CallShape& shape, llvm::SmallVectorImpl<llvm::Value*>& given) {
  given.append({variable(shape.lanes_out(w_), "out"),
                w_.builder.CreateLoad(w_.builder.getInt64Ty(), slice_),
                w_.builder.CreateLoad(w_.type(Type::I32), used_), live()});
}
llvm::Value* LaneLowering::given_back(const CallShape& shape, llvm::CallInst* called,
                                      llvm::Type* type, u32 k) {
  llvm::Value* const out = called->getArgOperand(1);
  return w_.builder.CreateLoad(type, w_.builder.CreateStructGEP(shape.lanes_out(w_), out, k));
}
void LaneLowering::take_back(const CallShape& shape, llvm::CallInst* called) {
  w_.builder.CreateStore(given_back(shape, called, w_.builder.getInt64Ty(), 0), slice_);
  w_.builder.CreateStore(given_back(shape, called, w_.type(Type::I32), 1), used_);
  // What has not come back has trapped, one frame deeper.
  llvm::Value* const trapped = w_.builder.CreateAnd(
      live(), w_.builder.CreateNot(given_back(shape, called, w_.mask_type(), 2)));
  llvm::BasicBlock* const rare = w_.block("callee_trapped");
  llvm::BasicBlock* const on = w_.block("returned");
  branch_rarely(w_.any(trapped), rare, on);
  w_.builder.SetInsertPoint(rare);
  llvm::Value* const words = w_.builder.CreateAlignedLoad(
      w_.type(Type::I64), state_rows(offsetof(LaneState, ended)), kRowAlign);
  end_lanes(trapped, w_.builder.CreateAdd(words, constant(Type::I64, 1u << 8)));
  leave_if_none(rare, on);
}
llvm::Value* LaneLowering::result_of(const CallShape& shape, llvm::CallInst* called, u32 k) {
  return given_back(shape, called, w_.type(shape.results[k]), k + 3);
}

}  // namespace komuz::backend::ir
