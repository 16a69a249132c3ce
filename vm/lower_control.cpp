// SPDX-License-Identifier: Apache-2.0
// Lowering, the control part: regions, calls and returns.
//
// A region is a part of the code that only some of the lanes may run: an arm, the right side of && or ||, a loop's
// body. The other lanes wait in the region's waiting place until its merge (tile.h).
// - Before a region, values in slots are copied home, so that both ways find them in the same place.
// - The first arm leaves its values in the home cells above the stack. The second arm must not touch these: its
//   stack lies `values` cells higher, and at the merge its values are moved down for its lanes only.
// - Behind BREAK, CONTINUE, RETURN and TRAP no lane is active until the region ends, so nothing is lowered for that
//   part.
#include "vm/lower.h"

namespace komuz::vm {

// The operation emitted last opens a region up to instruction `end`, with so many waiting places.
void BatchLowering::open_region(RegionKind kind, u32 end, u32 places) {
  const auto op = static_cast<u32>(program_->ops.size() - 1);
  const auto waiting = static_cast<u16>(waiting_);
  program_->ops[op].region = waiting;
  regions_.push_back({.kind = kind,
                      .waiting = waiting,
                      .begin = pc_ + 1,
                      .end = end,
                      .height = height(),
                      .shift = shift_,
                      .op = op});
  waiting_ += places;
  if (waiting_ > most_waiting_) most_waiting_ = waiting_;
}

void BatchLowering::open_branch(Instruction i) {
  const Value test = pop();
  settle();
  const bool has_second_arm = i.a == 1;
  emit_test(has_second_arm ? Control::IfElse : Control::If, test);
  open_region(has_second_arm ? RegionKind::FirstArm : RegionKind::If, i.b, 1);
}

void BatchLowering::open_short_circuit(Instruction i) {
  settle();
  move_home(height() - 1);
  emit(Control::If).flag = i.op == Op::JumpIfTrueOrPop ? 1 : 0;
  set_operand(0, stack_.back());
  (void)pop();
  arm_types_.push_back(Scalar::Bool);
  open_region(RegionKind::ShortCircuit, i.b, 1);
  regions_.back().values = 1;
  shift_ += 1;
}

void BatchLowering::end_first_arm(Instruction i) {
  Region& region = regions_.back();
  const u32 values = i.a;
  if (is_reachable_)
    for (u32 k = 0; k < values; ++k) move_home(region.height + k);
  for (u32 k = 0; k < values; ++k)
    arm_types_.push_back(is_reachable_ ? stack_[region.height + k].type : Scalar::None);
  LoweredOp& op = emit(Control::Else);
  op.region = region.waiting;
  const auto here = static_cast<u32>(program_->ops.size());
  program_->ops[region.op].c = i64{here} - region.op;
  region.kind = RegionKind::SecondArm;
  region.first_arm_ends = is_reachable_;
  region.begin = pc_ + 1;
  region.end = i.b;
  region.values = values;
  region.op = here - 1;
  end_exits(region, here - 1);
  shrink(region.height);
  shift_ = region.shift + values;
  is_reachable_ = true;
}

// Where control goes on if all lanes have left the loop from here: others may wait at the end of the innermost region.
void BatchLowering::end_exits(Region& region, u32 op) {
  for (u32 from = region.pending; from != 0;) {
    LoweredOp& exit = program_->ops[from - 1];
    const auto before = static_cast<u32>(exit.c);
    exit.c = i64{op} - (from - 1);
    from = before;
  }
  region.pending = 0;
}

// Ends the regions that merge here.
void BatchLowering::close_regions() {
  while (!regions_.empty() && regions_.back().end == pc_) {
    const RegionKind kind = regions_.back().kind;
    if (kind == RegionKind::FirstArm || kind == RegionKind::Loop) return;
    next_pc_ = pc_;
    close_region();
    pc_ = next_pc_;
  }
}

void BatchLowering::close_region() {
  Region region = regions_.back();
  regions_.pop_back();
  shift_ = region.shift;
  const size_t first_type = arm_types_.size() - region.values;
  shrink(region.height + (is_reachable_ ? region.values : 0));
  if (is_reachable_ && region.values != 0) {
    for (u32 k = 0; k < region.values; ++k)
      arm_types_[first_type + k] = stack_[region.height + k].type;
    place_values(region.values, home(region.height), true);
  }
  shrink(region.height);
  for (u32 k = 0; k < region.values; ++k)
    stack_.push_back(cell_value(home(height()), arm_types_[first_type + k]));
  arm_types_.resize(first_type);
  emit(Control::Merge).region = region.waiting;
  end_exits(region, static_cast<u32>(program_->ops.size()) - 1);
  program_->ops[region.op].c = static_cast<i64>(program_->ops.size()) - region.op;
  --waiting_;
  is_reachable_ = is_reachable_ || region.kind != RegionKind::SecondArm || region.first_arm_ends;
  if (!is_reachable_) unreachable_from_here();
}

void BatchLowering::open_loop(Instruction i) {
  settle();
  start_elements();
  emit(Control::Loop);
  open_region(RegionKind::Loop, i.b, 2);
}

void BatchLowering::close_loop() {
  Region region = regions_.back();
  shrink(region.height);
  LoweredOp& end = emit(Control::LoopEnd);
  note_live_cells(end, region.height);
  regions_.pop_back();
  shift_ = region.shift;
  const auto here = static_cast<u32>(program_->ops.size() - 1);
  if (region.elements != 0) program_->element_loops[region.elements - 1].end_op = here;
  end.region = region.waiting;
  end.c = i64{region.op} + 1 - here;
  program_->ops[region.op].c = i64{here} + 1 - region.op;
  end_exits(region, here);
  waiting_ -= 2;
  is_reachable_ = region.has_exit;
  if (!is_reachable_) unreachable_from_here();
}

BatchLowering::Region& BatchLowering::innermost_loop(u32 out) {
  size_t at = regions_.size();
  while (true) {
    --at;
    if (regions_[at].kind != RegionKind::Loop) continue;
    if (out == 0) return regions_[at];
    --out;
  }
}

void BatchLowering::break_if(Instruction i) {
  Region& loop = innermost_loop(0);
  loop.has_exit = true;
  if (i.op == Op::ForNext) {
    settle();
    LoweredOp& op = emit(parting_->for_next[static_cast<u32>(i.type)][i.b]);
    op.dst = offset_of(i.a);
    op.a = cell_pitch_;
    op.masked = is_masked(i.a + 2u);
  } else {
    const Value test = pop();
    emit_test(Control::BreakIfFalse, test);
  }
  LoweredOp& op = program_->ops.back();
  op.place = code_begin_ + pc_;  // not the place of a comparison that is merged into it
  op.region = loop.waiting;
  op.c = regions_.back().pending;
  regions_.back().pending = static_cast<u32>(program_->ops.size());
  tick_at_ = pc_ + 1;
}

// Most iterations start with a test and a tick, which become one operation.
void BatchLowering::tick() {
  if (tick_at_ == pc_ && pc_ != 0)
    program_->ops.back().ticks = true;
  else
    emit(Control::Tick);
  tick_at_ = 0;
}

void BatchLowering::exit_loop(Instruction i) {
  Region& loop = innermost_loop(i.a);
  if (i.op == Op::Break) loop.has_exit = true;
  emit(i.op == Op::Break ? Control::Break : Control::Continue).region = loop.waiting;
  unreachable_from_here();
}

// Continues where the innermost region ends: at its JUMP, its END or its merge.
void BatchLowering::unreachable_from_here() {
  is_reachable_ = false;
  if (regions_.empty()) {
    next_pc_ = code_size_;
  } else {
    const Region& region = regions_.back();
    next_pc_ = region.kind == RegionKind::FirstArm ? region.end - 1 : region.end;
  }
}

void BatchLowering::call(Instruction i) {
  const Function& callee = job_->code.functions[i.a];
  const u32 bottom = height() - callee.parameter_slots;
  for (u32 position = bottom; position < height(); ++position) move_home(position);
  LoweredOp& op = emit(Control::Call);
  op.dst = offset_of(home(bottom));
  op.c = i.a;
  op.region = static_cast<u16>(waiting_);
  note_live_cells(op, bottom);
  shrink(bottom);
  for_each_cell(job_->code.result_type(callee),
                [&](Scalar cell) { stack_.push_back(cell_value(home(height()), cell)); });
  LoweredFunction& lowered = program_->functions[i.a];
  if (!lowered.is_lowered) {
    lowered.is_lowered = true;
    worklist_.push_back(i.a);
  }
}

void BatchLowering::return_values(const Function& f) {
  const u32 results = f.result_cells;
  const u32 result_cell = f.slots;  // of a function that returns early
  const bool is_last = regions_.empty();
  if (uses_.returns_early()) place_values(results, result_cell, true);
  if (is_last) {
    return_to_caller(f);
    next_pc_ = code_size_;
  } else {
    emit(Control::ReturnEarly);
    unreachable_from_here();
  }
}

// The end of the function: lanes that have returned early go on.
void BatchLowering::return_to_caller(const Function& f) {
  const u32 results = f.result_cells;
  const bool is_reached = is_reachable_;
  is_reachable_ = true;
  if (uses_.returns_early()) {
    emit(Control::Rejoin);
    shrink(0);
    for (u32 k = 0; k < results; ++k) stack_.push_back(cell_value(f.slots + k, result_types_[k]));
  } else if (!is_reached) {
    shrink(0);  // values of two arms that both trap have no types
    for (u32 k = 0; k < results; ++k) stack_.push_back(cell_value(k, result_types_[k]));
  }
  if (is_entry_ && f.cycle == 0) return finish_entry(f);
  const u32 bottom = height() - results;
  // The results go to the first cells, which may be slots that still hold other results.
  for (u32 k = 0; k < results; ++k) {
    const Value& v = stack_[bottom + k];
    if (v.where == Where::Slot && v.slot != k && v.slot < results) move_home(bottom + k);
  }
  place_values(results, 0, false);
  emit(Control::FunctionEnd).flag = is_entry_ ? 1 : 0;
  if (!is_entry_) return;
  // An entry may be called, too.
  shrink(0);
  for (u32 k = 0; k < results; ++k) stack_.push_back(cell_value(k, result_types_[k]));
  finish_entry(f);
}

void BatchLowering::finish_entry(const Function& f) {
  const u32 bottom = height() - f.result_cells;
  for (u32 k = 0; k < f.result_cells; ++k) {
    emit(handlers_->result[static_cast<u32>(result_types_[k])]).c = k;
    set_operand(0, stack_[bottom + k]);
  }
  emit(Control::Finish);
}

}  // namespace komuz::vm
