// SPDX-License-Identifier: Apache-2.0
// Lowers bytecode to warp code, the control part: regions, calls and returns. A region is a part of the code that
// only some of the cases may run: an arm, the right side of && or ||, a loop's body. The other cases wait in the
// region's waiting place until it ends (docs/bytecode.md draws the regions). Stores affect only active cases, so both
// ways may use the same cells.
//
// - Before a region, the values on the stack go home, so that both ways find them in the same place.
// - At the end of an arm its values go home. Behind the merge the accumulator is empty.
// - Behind BREAK, CONTINUE, RETURN and TRAP no case is active until the region ends, so nothing is lowered for that
//   part.
#pragma once
#include "vm/cuda/lowering.h"

namespace komuz::vm {

template <class Storage>
HD_CALL typename Lowering<Storage>::Region& Lowering<Storage>::open(RegionKind kind, u32 places) {
  regions_.push_back({});
  Region& region = regions_.back();
  region.kind = kind;
  region.place = places_;
  region.height = height();
  region.op = here() - 1;
  op_at(region.op).c = static_cast<u16>(places_);
  places_ += places;
  if (places_ > most_places_) most_places_ = places_;
  return region;
}

// Emits an operation whose left operand is the topmost value, a bool. A constant goes home first, since the number of
// a constant and a jump target share a field.
template <class Storage>
HD_CALL WarpOp& Lowering<Storage>::emit_test(WarpControl control) {
  if (stack_.back().where == Where::Constant) send_home(height() - 1);
  WarpOp& op = emit(control);
  set_operand(op, false, height() - 1);
  shrink(height() - 1);
  return op;
}

template <class Storage>
HD_CALL void Lowering<Storage>::open_branch(Instruction i) {
  settle(height() - 1);
  (void)emit_test(WarpControl::If);
  Region& region = open(i.a == 1 ? RegionKind::FirstArm : RegionKind::If, 1);
  region.end = i.b;
}

template <class Storage>
HD_CALL void Lowering<Storage>::open_short_circuit(Instruction i) {
  settle(height() - 1);
  send_home(height() - 1);
  (void)emit_test(i.op == Op::JumpIfTrueOrPop ? WarpControl::IfTrue : WarpControl::If);
  arm_types_.push_back(Scalar::Bool);
  Region& region = open(RegionKind::ShortCircuit, 1);
  region.end = i.b;
  region.values = 1;
}

template <class Storage>
HD_CALL void Lowering<Storage>::end_first_arm(Instruction i) {
  const u32 bottom = regions_.back().height, values = i.a;
  for (u32 k = 0; k < values; ++k) {
    arm_types_.push_back(is_reachable_ ? stack_[bottom + k].type : Scalar::None);
    if (is_reachable_) send_home(bottom + k);
  }
  Region& region = regions_.back();
  emit(WarpControl::Else).c = static_cast<u16>(region.place);
  op_at(region.op).d = here();
  end_exits(region);
  region.kind = RegionKind::SecondArm;
  region.first_arm_ends = is_reachable_;
  region.end = i.b;
  region.values = values;
  region.op = here() - 1;
  shrink(bottom);
  is_reachable_ = true;
}

// The last operation is where control goes on if all cases have left the loop from here: others may wait at the end of
// the innermost region.
template <class Storage>
HD_CALL void Lowering<Storage>::end_exits(Region& region) {
  for (u32 from = region.pending; from != 0;) {
    WarpOp& exit = op_at(from - 1);
    from = exit.d;
    exit.d = here() - 1;
  }
  region.pending = 0;
}

// Ends the regions that merge here.
template <class Storage>
HD_CALL void Lowering<Storage>::close_merges() {
  while (!regions_.empty() && regions_.back().end == pc_) {
    const RegionKind kind = regions_.back().kind;
    if (kind == RegionKind::FirstArm || kind == RegionKind::Loop) return;
    has_room_ = has_step_room();
    if (!has_room_) return;
    next_pc_ = pc_;
    close_merge();
    pc_ = next_pc_;
  }
}

template <class Storage>
HD_CALL void Lowering<Storage>::close_merge() {
  Region region = regions_.back();
  regions_.pop_back();
  const size_t first_type = arm_types_.size() - region.values;
  if (is_reachable_) {
    for (u32 k = 0; k < region.values; ++k) {
      arm_types_[first_type + k] = stack_[region.height + k].type;
      send_home(region.height + k);
    }
  }
  shrink(region.height);
  for (u32 k = 0; k < region.values; ++k)
    stack_.push_back({Where::Home, arm_types_[first_type + k], 0});
  arm_types_.resize(first_type);
  emit(WarpControl::Merge).c = static_cast<u16>(region.place);
  op_at(region.op).d = here();
  end_exits(region);
  --places_;
  is_reachable_ = is_reachable_ || region.kind != RegionKind::SecondArm || region.first_arm_ends;
  if (!is_reachable_) unreachable_from_here();
}

template <class Storage>
HD_CALL void Lowering<Storage>::open_loop(Instruction i) {
  settle(height());
  emit(WarpControl::Loop);
  open(RegionKind::Loop, 2).end = i.b;
}

template <class Storage>
HD_CALL void Lowering<Storage>::close_loop() {
  Region region = regions_.back();
  regions_.pop_back();
  shrink(region.height);
  WarpOp& end = emit(WarpControl::LoopEnd);
  end.c = static_cast<u16>(region.place);
  end.d = region.op + 1;
  op_at(region.op).d = here();
  end_exits(region);
  places_ -= 2;
  is_reachable_ = region.has_exit;
  if (!is_reachable_) unreachable_from_here();
}

template <class Storage>
HD_CALL typename Lowering<Storage>::Region& Lowering<Storage>::innermost_loop(u32 out) {
  size_t at = regions_.size();
  while (true) {
    --at;
    if (regions_[at].kind != RegionKind::Loop) continue;
    if (out == 0) return regions_[at];
    --out;
  }
}

template <class Storage>
HD_CALL void Lowering<Storage>::break_if(Instruction i) {
  Region& loop = innermost_loop(0);
  loop.has_exit = true;
  if (i.op == Op::ForNext) {
    keep_values_of(i.a, 3, height());
    WarpOp& op = emit(WarpControl::ForNext);
    op.a = i.a;
    op.b = static_cast<u16>(i.type);
    if (i.b != 0) op.flags |= WarpOp::kInclusive;
  } else {
    (void)emit_test(WarpControl::BreakIfFalse);
  }
  WarpOp& op = op_at(here() - 1);
  op.c = static_cast<u16>(loop.place);
  op.d = regions_.back().pending;
  regions_.back().pending = here();
}

template <class Storage>
HD_CALL void Lowering<Storage>::exit_loop(Instruction i) {
  Region& loop = innermost_loop(i.a);
  const bool leaves = i.op == Op::Break;
  loop.has_exit |= leaves;
  emit(WarpControl::Wait).c = static_cast<u16>(loop.place + (leaves ? 0 : 1));
  unreachable_from_here();
}

// Continues where the innermost region ends: at its JUMP, its END or its merge.
template <class Storage>
HD_CALL void Lowering<Storage>::unreachable_from_here() {
  is_reachable_ = false;
  in_accumulator_ = 0;
  if (regions_.empty()) {
    next_pc_ = code_size_;
  } else {
    const Region& region = regions_.back();
    next_pc_ = region.kind == RegionKind::FirstArm ? region.end - 1 : region.end;
  }
}

template <class Storage>
HD_CALL void Lowering<Storage>::call(Instruction i) {
  const Function& callee = code_.functions[i.a];
  const u32 bottom = height() - callee.parameter_slots;
  for (u32 position = bottom; position < height(); ++position) send_home(position);
  free_accumulator();
  calls_.push_back({here(), i.a});
  WarpOp& op = emit(WarpControl::Call);
  op.a = static_cast<u16>(home(bottom));
  op.b = static_cast<u16>(places_ + 1);
  shrink(bottom);
  const u8* const types = code_.result_types + code_.result_begins[i.a];
  for (u32 r = 0; r < callee.result_cells; ++r) {
    stack_.push_back({Where::Home, static_cast<Scalar>(types[r]), 0});
    (void)home(height() - 1);
  }
  LoweredFunction& lowered = functions_[i.a];
  if (!lowered.is_lowered) {
    lowered.is_lowered = true;
    worklist_.push_back(i.a);
  }
}

// Moves the results to the cells from `first` on. `first` is not behind their home cells, so in rising order no
// result is overwritten before it has moved.
template <class Storage>
HD_CALL void Lowering<Storage>::move_results(u32 results, u32 first) {
  const u32 bottom = height() - results;
  if (results != 1) {
    free_accumulator();
  } else if (stack_.back().where == Where::Accumulator && producer_ != 0) {
    set_store(op_at(producer_ - 1), first, stack_.back().type);
    producer_ = in_accumulator_ = 0;
    return;
  }
  for (u32 k = 0; k < results; ++k) {
    const Value& v = stack_[bottom + k];
    if (v.where != Where::Slot || v.number != first + k) move_to(bottom + k, first + k);
  }
  in_accumulator_ = 0;
}

template <class Storage>
HD_CALL void Lowering<Storage>::return_values(const Function& f) {
  if (returns_early_) move_results(f.result_cells, f.slots);
  if (regions_.empty()) {
    end_function(f);
    next_pc_ = code_size_;
  } else {
    emit(WarpControl::Wait).c = 0;
    unreachable_from_here();
  }
}

// Cases that have returned early go on. The results go to the frame's first cells, where the caller has its stack.
template <class Storage>
HD_CALL void Lowering<Storage>::end_function(const Function& f) {
  const u32 results = f.result_cells;
  if (returns_early_) {
    emit(WarpControl::Merge).c = 0;
    const u8* const types = code_.result_types + code_.result_begins[&f - code_.functions];
    shrink(0);
    for (u32 k = 0; k < results; ++k)
      stack_.push_back({Where::Slot, static_cast<Scalar>(types[k]), f.slots + k});
  }
  // If no case reaches this place, there are no results.
  if (returns_early_ || is_reachable_) {
    // Moving a result there would overwrite a slot that holds another result.
    const u32 bottom = height() - results;
    for (u32 k = 0; k < results; ++k) {
      const Value& v = stack_[bottom + k];
      if (v.where == Where::Slot && v.number != k && v.number < results) send_home(bottom + k);
    }
    move_results(results, 0);
  }
  is_reachable_ = true;
  emit(WarpControl::FunctionEnd);
}

}  // namespace komuz::vm
