// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/lane_function.h"

namespace komuz::backend::ir {

// Is it worth to look whether any lane runs these instructions?
bool LaneLowering::is_long(u32 first, u32 end) const {
  constexpr u32 kMostUnseen = 14;
  return weights_[end] - weights_[first] > kMostUnseen;
}

// Where it goes on when no lane is left here; the block leads there.
llvm::BasicBlock* LaneLowering::skip_from(llvm::BasicBlock* from) {
  if (regions_.empty()) return end_;
  regions_.back().ways.push_back({from, {}});
  return regions_.back().skip;
}

void LaneLowering::skip_if_none() { leave_if_none(w_.builder.GetInsertBlock(), w_.block("on")); }

// Goes on in `on` if any lane is left here, in the block `from`.
void LaneLowering::leave_if_none(llvm::BasicBlock* from, llvm::BasicBlock* on) {
  llvm::Value* const any = w_.any(live());
  if (lives_)
    w_.builder.CreateCondBr(any, on, skip_from(from));
  else
    w_.builder.CreateUnreachable();
  w_.builder.SetInsertPoint(on);
}

// No lane is left.
void LaneLowering::skip_all() {
  if (lives_) {
    w_.builder.CreateStore(none(), live_);
    llvm::BasicBlock* const here = w_.builder.GetInsertBlock();
    w_.builder.CreateBr(skip_from(here));
  } else {
    w_.builder.CreateUnreachable();
  }
  end_reach();
}

// The end of an arm that leaves `count` cells.
void LaneLowering::end_way(Region& region, u32 count) {
  if (lives_) {
    ArmWay& way = region.ways.emplace_back(ArmWay{nullptr, {}});
    for (u32 k = 0; k < count; ++k) way.cells.push_back(value_of(stack_[region.height + k]));
    way.from = w_.builder.GetInsertBlock();
    w_.builder.CreateBr(region.skip);
  } else {
    w_.builder.CreateUnreachable();
  }
  w_.builder.SetInsertPoint(region.skip);
}

// The cells of an arm, at the beginning of the block behind it.
std::vector<llvm::Value*> LaneLowering::merged_cells(const Region& region) {
  std::vector<llvm::Value*> cells;
  for (size_t k = 0; k < region.types.size(); ++k) {
    llvm::Type* const type = w_.type(region.types[k]);
    if (region.ways.size() == 1 && !region.ways[0].cells.empty()) {
      cells.push_back(region.ways[0].cells[k]);
    } else if (region.ways.empty()) {
      cells.push_back(llvm::Constant::getNullValue(type));
    } else {
      llvm::PHINode* const cell = w_.builder.CreatePHI(type, static_cast<u32>(region.ways.size()));
      for (const ArmWay& way : region.ways)
        cell->addIncoming(way.cells.empty() ? llvm::Constant::getNullValue(type) : way.cells[k],
                          way.from);
      cells.push_back(cell);
    }
  }
  return cells;
}

void LaneLowering::branch(Instruction i) {
  llvm::Value* const condition = pop();
  const bool has_second = i.a == 1;
  Region region = {.kind = has_second ? RegionKind::FirstArm : RegionKind::Merge,
                   .end = has_second ? i.b - 1 : i.b,
                   .height = stack_.size(),
                   .skip = w_.block(has_second ? "else" : "merge"),
                   .is_entered = lives_};
  region.first_lives = !has_second;
  region.waiting = mask_variable("waiting");
  llvm::Value* const live = this->live();
  w_.builder.CreateStore(w_.builder.CreateAnd(live, w_.builder.CreateNot(condition)),
                         region.waiting);
  w_.builder.CreateStore(w_.builder.CreateAnd(live, condition), live_);
  const u32 end = region.end;
  regions_.push_back(std::move(region));
  if (is_long(at_ + 1, end)) skip_if_none();
}

void LaneLowering::end_first_arm(Instruction i) {
  Region arm = std::move(regions_.back());
  regions_.pop_back();
  for (u32 k = 0; k < i.a; ++k) arm.types.push_back(stack_[arm.height + k].type);
  end_way(arm, i.a);
  const bool first_lives = lives_;
  Region region = {.kind = RegionKind::Merge,
                   .end = i.b,
                   .height = arm.height,
                   .skip = w_.block("merge"),
                   .is_entered = arm.is_entered,
                   .has_leavers = arm.has_leavers};
  region.first_cells = merged_cells(arm);
  region.types = std::move(arm.types);
  region.first_lives = first_lives;
  region.waiting = arm.waiting;
  lives_ = arm.is_entered;
  stack_.resize(arm.height);
  llvm::Value* const done = live();
  w_.builder.CreateStore(load_mask(arm.waiting), live_);
  w_.builder.CreateStore(done, arm.waiting);
  forget_inner_slots();
  regions_.push_back(std::move(region));
  if (is_long(at_ + 1, i.b)) skip_if_none();
}

void LaneLowering::short_circuit(Instruction i) {
  llvm::Value* const condition = pop();
  const bool stays = i.op == Op::JumpIfTrueOrPop;
  Region region = {.kind = RegionKind::Merge,
                   .end = i.b,
                   .height = stack_.size(),
                   .skip = w_.block("merge"),
                   .is_entered = lives_};
  region.types = {Scalar::Bool};
  region.first_cells = {constant(Type::Bool, stays ? 1 : 0)};
  region.first_lives = true;
  region.waiting = mask_variable("waiting");
  llvm::Value* const live = this->live();
  llvm::Value* const goes_on = stays ? w_.builder.CreateNot(condition) : condition;
  w_.builder.CreateStore(w_.builder.CreateAnd(live, w_.builder.CreateNot(goes_on)), region.waiting);
  w_.builder.CreateStore(w_.builder.CreateAnd(live, goes_on), live_);
  regions_.push_back(std::move(region));
  if (is_long(at_ + 1, i.b)) skip_if_none();
}

void LaneLowering::close_merges() {
  while (!regions_.empty() && regions_.back().kind == RegionKind::Merge &&
         regions_.back().end == at_) {
    Region region = std::move(regions_.back());
    regions_.pop_back();
    const u32 count = static_cast<u32>(region.types.size());
    end_way(region, count);
    const std::vector<llvm::Value*> cells = merged_cells(region);
    const bool second_lives = lives_;
    lives_ = region.is_entered;
    llvm::Value* const done = load_mask(region.waiting);
    w_.builder.CreateStore(w_.builder.CreateOr(live(), done), live_);
    stack_.resize(region.height);
    for (u32 k = 0; k < count; ++k) {
      llvm::Value* value = second_lives ? cells[k] : region.first_cells[k];
      if (second_lives && region.first_lives)
        value = w_.builder.CreateSelect(done, region.first_cells[k], value);
      push(value, region.types[k]);
    }
    forget_inner_slots();
    if (!second_lives && !region.first_lives)
      skip_all();
    else if (region.has_leavers)
      skip_if_none();
    if (region.has_leavers && !regions_.empty()) regions_.back().has_leavers = true;
  }
}

void LaneLowering::open_loop(Instruction i) {
  Region region = {.kind = RegionKind::Loop,
                   .end = i.b,
                   .height = stack_.size(),
                   .skip = w_.block("loop_end"),
                   .is_entered = lives_};
  region.exited = mask_variable("exited");
  region.continued = mask_variable("continued");
  region.begin = w_.block("loop");
  region.exit = w_.block("exit");
  w_.builder.CreateStore(none(), region.exited);
  go_to(region.begin);
  w_.builder.SetInsertPoint(region.begin);
  w_.builder.CreateStore(none(), region.continued);
  regions_.push_back(std::move(region));
  forget_changing(at_, i.b);
}

// Lanes that come here go on at once where the loop's own test comes before anything else can repeat; others have to be
// looked for.
void LaneLowering::end_loop() {
  Region region = std::move(regions_.back());
  regions_.pop_back();
  const bool goes_on = region.is_tested && !region.has_continue;
  go_to(goes_on ? region.begin : region.skip);
  w_.builder.SetInsertPoint(region.skip);
  llvm::Value* const all = w_.builder.CreateOr(live(), load_mask(region.continued));
  w_.builder.CreateStore(all, live_);
  w_.builder.CreateCondBr(w_.any(all), region.begin, region.exit);
  w_.builder.SetInsertPoint(region.exit);
  lives_ = region.is_entered;
  w_.builder.CreateStore(load_mask(region.exited), live_);
  stack_.resize(region.height);
  forget_inner_slots();
  if (!region.is_left)
    skip_all();
  else if (region.has_leavers)
    skip_if_none();
  if (region.has_leavers && !regions_.empty()) regions_.back().has_leavers = true;
}

void LaneLowering::leave_loop_unless(llvm::Value* condition) {
  Region& loop = loop_outwards(regions_, 0);
  const bool is_direct = &loop == &regions_.back() && !loop.has_continue;
  llvm::Value* const live = this->live();
  llvm::Value* const leave = w_.builder.CreateAnd(live, w_.builder.CreateNot(condition));
  w_.builder.CreateStore(w_.builder.CreateOr(load_mask(loop.exited), leave), loop.exited);
  llvm::Value* const stay = w_.builder.CreateAnd(live, condition);
  w_.builder.CreateStore(stay, live_);
  loop.is_left = loop.is_left || lives_;
  if (!is_direct) {
    for (size_t k = regions_.size(); k-- > 0 && &regions_[k] != &loop;)
      regions_[k].has_leavers = true;
    return skip_if_none();
  }
  llvm::BasicBlock* const on = w_.block("on");
  if (lives_) {
    loop.is_tested = true;
    w_.builder.CreateCondBr(w_.any(stay), on, loop.exit);
  } else {
    w_.builder.CreateUnreachable();
  }
  w_.builder.SetInsertPoint(on);
}

void LaneLowering::exit_loop(Instruction i) {
  Region& loop = loop_outwards(regions_, i.a);
  const bool breaks = i.op == Op::Break;
  llvm::Value* const waiting = breaks ? loop.exited : loop.continued;
  w_.builder.CreateStore(w_.builder.CreateOr(load_mask(waiting), live()), waiting);
  if (breaks)
    loop.is_left = loop.is_left || lives_;
  else
    loop.has_continue = true;
  for (size_t k = regions_.size(); k-- > 0 && &regions_[k] != &loop;)
    regions_[k].has_leavers = true;
  skip_all();
}

}  // namespace komuz::backend::ir
