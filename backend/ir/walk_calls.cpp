// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/function_walk.h"

namespace komuz::backend::ir {

// First DEPTH, then the tick, then the call. All cases that run are in the same frame, so they are equally deep.
void FunctionWalk::call(Instruction i) {
  const Function& callee = code_.functions[i.a];
  const CallShape shape(code_, module_.plan, i.a);
  const bool is_in_cycle = callee.cycle != 0 && callee.cycle == f_.cycle;
  open_call();
  if (is_in_cycle) {
    llvm::Value* const bound = w_.builder.getInt32(callee.rec);
    trap_all_if(w_.builder.CreateICmpEQ(frames_, bound), Trap::Depth);
  }
  tick();

  llvm::SmallVector<llvm::Value*, 16> given = {state_};
  give_counts(shape, given);
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
  llvm::CallInst* const called = w_.builder.CreateCall(module_.functions[i.a], given);
  take_back(shape, called);

  const u32 results = static_cast<u32>(shape.results.size());
  if (shape.results_in_memory)
    return push_cells(given_back_, results, [&](u32 k) { return shape.results[k]; });
  for (u32 k = 0; k < results; ++k) push(result_of(shape, called, k), shape.results[k]);
}

}  // namespace komuz::backend::ir
