// SPDX-License-Identifier: Apache-2.0
#include "backend/case_state.h"
#include "backend/ir/lower_function.h"

namespace komuz::backend::ir {

void FunctionLowering::go_to(llvm::BasicBlock* block) {
  if (lives_)
    w_.builder.CreateBr(block);
  else
    w_.builder.CreateUnreachable();
}

void FunctionLowering::close_merges() {
  while (!regions_.empty() && regions_.back().kind == Kind::Merge && regions_.back().end == at_) {
    Region region = std::move(regions_.back());
    regions_.pop_back();
    const size_t count = region.types.size();
    if (lives_) {
      Way& last = region.ways.emplace_back(Way{w_.builder.GetInsertBlock(), {}});
      for (size_t k = 0; k < count; ++k) last.cells.push_back(value_of(stack_[region.height + k]));
    }
    go_to(region.end_block);
    w_.builder.SetInsertPoint(region.end_block);
    lives_ = !region.ways.empty();
    stack_.resize(region.height);
    for (size_t k = 0; k < count; ++k) {
      llvm::Type* const type = w_.type(region.types[k]);
      if (!lives_) {
        push(llvm::PoisonValue::get(type), region.types[k]);
        continue;
      }
      llvm::PHINode* const cell = w_.builder.CreatePHI(type, static_cast<u32>(region.ways.size()));
      for (const Way& way : region.ways) cell->addIncoming(way.cells[k], way.from);
      push(cell, region.types[k]);
    }
  }
}

void FunctionLowering::branch(Instruction i) {
  llvm::Value* const condition = pop();
  llvm::BasicBlock* const from = w_.builder.GetInsertBlock();
  llvm::BasicBlock* const first = w_.block("then");
  Region region = {.kind = i.a == 1 ? Kind::FirstArm : Kind::Merge,
                   .end = i.a == 1 ? i.b - 1 : i.b,
                   .height = stack_.size()};
  region.second_arm_lives = lives_;
  llvm::BasicBlock* other = nullptr;
  if (i.a == 1) {
    other = region.begin = w_.block("else");
  } else {
    other = region.end_block = w_.block("merge");
    if (lives_) region.ways.push_back({from, {}});
  }
  if (lives_)
    w_.builder.CreateCondBr(condition, first, other);
  else
    w_.builder.CreateUnreachable();
  w_.builder.SetInsertPoint(first);
  regions_.push_back(std::move(region));
}

void FunctionLowering::end_first_arm(Instruction i) {
  Region arm = std::move(regions_.back());
  Region& region = regions_.back();
  region = {.kind = Kind::Merge, .end = i.b, .height = arm.height};
  region.end_block = w_.block("merge");
  Way way = {w_.builder.GetInsertBlock(), {}};
  for (size_t k = 0; k < i.a; ++k) {
    const Cell& cell = stack_[arm.height + k];
    way.cells.push_back(value_of(cell));
    region.types.push_back(cell.type);
  }
  if (lives_) region.ways.push_back(std::move(way));
  go_to(region.end_block);
  stack_.resize(arm.height);
  w_.builder.SetInsertPoint(arm.begin);
  lives_ = arm.second_arm_lives;
}

void FunctionLowering::short_circuit(Instruction i) {
  llvm::Value* const condition = pop();
  const bool stays = i.op == Op::JumpIfTrueOrPop;
  Region region = {.kind = Kind::Merge, .end = i.b, .height = stack_.size()};
  region.types = {Scalar::Bool};
  region.end_block = w_.block("merge");
  llvm::BasicBlock* const on = w_.block("right");
  if (lives_) {
    region.ways.push_back({w_.builder.GetInsertBlock(), {w_.builder.getInt1(stays)}});
    w_.builder.CreateCondBr(condition, stays ? region.end_block : on,
                            stays ? on : region.end_block);
  } else {
    w_.builder.CreateUnreachable();
  }
  w_.builder.SetInsertPoint(on);
  regions_.push_back(std::move(region));
}

void FunctionLowering::open_loop(Instruction i) {
  Region region = {.kind = Kind::Loop, .end = i.b, .height = stack_.size()};
  region.begin = w_.block("loop");
  region.end_block = w_.block("end");
  region.exit = w_.block("exit");
  go_to(region.begin);
  w_.builder.SetInsertPoint(region.begin);
  regions_.push_back(std::move(region));
}

void FunctionLowering::end_loop() {
  Region region = std::move(regions_.back());
  regions_.pop_back();
  region.is_ended = region.is_ended || lives_;
  go_to(region.end_block);
  w_.builder.SetInsertPoint(region.end_block);
  lives_ = region.is_ended;
  go_to(region.begin);
  w_.builder.SetInsertPoint(region.exit);
  lives_ = region.is_left;
  stack_.resize(region.height);
}

FunctionLowering::Region& FunctionLowering::loop_outwards(u32 out) {
  size_t k = regions_.size() - 1;
  for (;; --k)
    if (regions_[k].kind == Kind::Loop && out-- == 0) return regions_[k];
}

void FunctionLowering::leave_loop_unless(llvm::Value* condition) {
  Region& region = loop_outwards(0);
  llvm::BasicBlock* const on = w_.block("on");
  if (lives_) {
    region.is_left = true;
    w_.builder.CreateCondBr(condition, on, region.exit);
  } else {
    w_.builder.CreateUnreachable();
  }
  w_.builder.SetInsertPoint(on);
}

void FunctionLowering::exit_loop(Instruction i) {
  Region& region = loop_outwards(i.a);
  const bool breaks = i.op == Op::Break;
  if (lives_) (breaks ? region.is_left : region.is_ended) = true;
  go_to(breaks ? region.exit : region.end_block);
  end_reach();
}

void FunctionLowering::tick() {
  llvm::Type* const i64 = w_.builder.getInt64Ty();
  llvm::Value* const left = w_.builder.CreateLoad(i64, left_);
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

// First DEPTH, then the tick, then the call.
void FunctionLowering::call(Instruction i) {
  const Function& callee = code_.functions[i.a];
  const CallShape shape(code_, module_.plan, i.a);
  const bool is_in_cycle = callee.cycle != 0 && callee.cycle == f_.cycle;
  if (is_in_cycle)
    trap_if(w_.builder.CreateICmpEQ(live_, w_.builder.getInt32(callee.rec)), Trap::Depth);
  tick();

  llvm::Type* const i64 = w_.builder.getInt64Ty();
  llvm::SmallVector<llvm::Value*, 16> given = {state_, w_.builder.CreateLoad(i64, left_)};
  if (shape.has_top) given.push_back(w_.builder.CreateAdd(top_, integer(frame_.scratch_bytes)));
  if (shape.has_live) {
    llvm::Value* const one = w_.builder.getInt32(1);
    given.push_back(is_in_cycle ? w_.builder.CreateAdd(live_, one) : one);
  }
  if (shape.results_in_memory) given.push_back(returned_);
  if (shape.parameters_in_memory) given.push_back(passed_);
  const u32 parameters = static_cast<u32>(shape.parameters.size());
  if (shape.parameters_in_memory) {
    pop_cells(passed_, parameters);
  } else {
    for (u32 k = parameters; k > 0; --k) given.push_back(value_of(stack_[stack_.size() - k]));
    stack_.resize(stack_.size() - parameters);
  }

  llvm::Value* const all = w_.builder.CreateCall(module_.functions[i.a], given);
  const bool is_alone = shape.results.empty() || shape.results_in_memory;
  llvm::Value* const left = is_alone ? all : w_.builder.CreateExtractValue(all, 0);
  llvm::BasicBlock* const on = w_.block("returned");
  branch_rarely(w_.builder.CreateICmpSLT(left, integer(0)), callee_trapped(), on);
  w_.builder.SetInsertPoint(on);
  w_.builder.CreateStore(left, left_);
  const u32 results = static_cast<u32>(shape.results.size());
  if (shape.results_in_memory)
    return push_cells(returned_, results, [&](u32 k) { return shape.results[k]; });
  for (u32 k = 0; k < results; ++k)
    push(w_.builder.CreateExtractValue(all, k + 1), shape.results[k]);
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
