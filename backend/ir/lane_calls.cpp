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
  if (lives_)
    w_.builder.CreateCondBr(w_.any(live()), on, skip_from(rare));
  else
    w_.builder.CreateUnreachable();
  w_.builder.SetInsertPoint(on);
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

// First DEPTH, then the tick, then the call. All lanes that run are in the same frame, so they are equally deep. A call
// that no lane makes would call itself for ever.
void LaneLowering::call(Instruction i) {
  const Function& callee = code_.functions[i.a];
  const CallShape shape(code_, module_.plan, i.a);
  const bool is_in_cycle = callee.cycle != 0 && callee.cycle == f_.cycle;
  skip_if_none();
  if (is_in_cycle) {
    llvm::Value* const bound = w_.builder.getInt32(callee.rec);
    trap_all_if(w_.builder.CreateICmpEQ(frames_, bound), Trap::Depth);
  }
  tick();

  llvm::Type* const i64 = w_.builder.getInt64Ty();
  llvm::Type* const out_type = shape.lanes_out(w_);
  llvm::Value* const out = variable(out_type, "out");
  llvm::SmallVector<llvm::Value*, 16> given = {state_, out, w_.builder.CreateLoad(i64, slice_),
                                               w_.builder.CreateLoad(w_.type(Type::I32), used_),
                                               live()};
  if (shape.has_top)
    given.push_back(w_.builder.CreateAdd(top_, integer(u64{frame_.scratch_bytes} * w_.lanes)));
  if (shape.has_live) {
    llvm::Value* const one = w_.builder.getInt32(1);
    given.push_back(is_in_cycle ? w_.builder.CreateAdd(frames_, one) : one);
  }
  if (shape.results_in_memory) given.push_back(given_back_);
  if (shape.parameters_in_memory) given.push_back(passed_);
  const u32 parameters = static_cast<u32>(shape.parameters.size());
  if (shape.parameters_in_memory) {
    pop_cells(passed_, parameters);
  } else {
    for (u32 k = parameters; k > 0; --k) given.push_back(value_of(stack_[stack_.size() - k]));
    stack_.resize(stack_.size() - parameters);
  }
  w_.builder.CreateCall(module_.functions[i.a], given);

  const auto member = [&](llvm::Type* type, u32 k) {
    return w_.builder.CreateLoad(type, w_.builder.CreateStructGEP(out_type, out, k));
  };
  w_.builder.CreateStore(member(i64, 0), slice_);
  w_.builder.CreateStore(member(w_.type(Type::I32), 1), used_);
  // What has not come back has trapped, one frame deeper.
  llvm::Value* const trapped =
      w_.builder.CreateAnd(live(), w_.builder.CreateNot(member(w_.mask_type(), 2)));
  llvm::BasicBlock* const rare = w_.block("callee_trapped");
  llvm::BasicBlock* const on = w_.block("returned");
  branch_rarely(w_.any(trapped), rare, on);
  w_.builder.SetInsertPoint(rare);
  llvm::Value* const words = w_.builder.CreateAlignedLoad(
      w_.type(Type::I64), state_rows(offsetof(LaneState, ended)), kRowAlign);
  end_lanes(trapped, w_.builder.CreateAdd(words, constant(Type::I64, 1u << 8)));
  if (lives_)
    w_.builder.CreateCondBr(w_.any(live()), on, skip_from(rare));
  else
    w_.builder.CreateUnreachable();
  w_.builder.SetInsertPoint(on);
  const u32 results = static_cast<u32>(shape.results.size());
  if (shape.results_in_memory)
    return push_cells(given_back_, results, [&](u32 k) { return shape.results[k]; });
  for (u32 k = 0; k < results; ++k)
    push(member(w_.type(shape.results[k]), k + 3), shape.results[k]);
}

}  // namespace komuz::backend::ir
