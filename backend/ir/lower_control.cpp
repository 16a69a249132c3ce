// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/lower_function.h"

namespace komuz::backend::ir {

void FunctionLowering::close_merges() {
  while (!regions_.empty() && regions_.back().kind == RegionKind::Merge &&
         regions_.back().end == at_) {
    Region region = std::move(regions_.back());
    regions_.pop_back();
    const size_t count = region.types.size();
    if (lives_) {
      ArmWay& last = region.ways.emplace_back(ArmWay{w_.builder.GetInsertBlock(), {}});
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
      for (const ArmWay& way : region.ways) cell->addIncoming(way.cells[k], way.from);
      push(cell, region.types[k]);
    }
  }
}

void FunctionLowering::branch(Instruction i) {
  llvm::Value* const condition = pop();
  llvm::BasicBlock* const from = w_.builder.GetInsertBlock();
  llvm::BasicBlock* const first = w_.block("then");
  Region region = {.kind = i.a == 1 ? RegionKind::FirstArm : RegionKind::Merge,
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
  region = {.kind = RegionKind::Merge, .end = i.b, .height = arm.height};
  region.end_block = w_.block("merge");
  ArmWay way = {w_.builder.GetInsertBlock(), {}};
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
  Region region = {.kind = RegionKind::Merge, .end = i.b, .height = stack_.size()};
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
  Region region = {.kind = RegionKind::Loop, .end = i.b, .height = stack_.size()};
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

void FunctionLowering::leave_loop_unless(llvm::Value* condition) {
  Region& region = loop_outwards(regions_, 0);
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
  Region& region = loop_outwards(regions_, i.a);
  const bool breaks = i.op == Op::Break;
  if (lives_) (breaks ? region.is_left : region.is_ended) = true;
  go_to(breaks ? region.exit : region.end_block);
  end_reach();
}

}  // namespace komuz::backend::ir
