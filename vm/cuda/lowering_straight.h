// SPDX-License-Identifier: Apache-2.0
// Lowers bytecode to warp code, the straight part: functions one after the other, and operations.
#pragma once
#include "vm/cuda/lowering.h"

namespace komuz::vm {

template <class Storage>
HD_CALL Lowered Lowering<Storage>::run(const LoweringInput& code, u32 function,
                                       const LoweringOutput<Storage>& out, WarpProgram& program) {
  code_ = code;
  ops_ = out.ops;
  places_of_ops_ = out.places;
  constants_ = out.constants;
  fits_ = has_room_ = true;
  const Function& entry = code.functions[function];
  program.ops_begin = ops_begin_ = static_cast<u32>(ops_->size());
  program.constants_begin = constants_begin_ = static_cast<u32>(constants_->size());
  program.results = entry.result_cells;
  program.entry_place = entry.code_begin;
  program.entry_cycle = entry.cycle;

  calls_.clear();
  functions_.clear();
  if (!has_room(functions_, code.function_count)) return Lowered::NoRoom;
  functions_.assign(code.function_count, {});
  worklist_.assign(1, function);
  functions_[function].is_lowered = true;
  // The list grows while it is read.
  for (size_t next = 0; next < worklist_.size() && has_room_; ++next)
    lower_function(worklist_[next]);
  if (!has_room_) return Lowered::NoRoom;
  for (size_t k = 0; k < calls_.size(); ++k)
    op_at(calls_[k].op).d = functions_[calls_[k].function].first_op;
  return add_up(program) && fits_ ? Lowered::Done : Lowered::TooLarge;
}
// A function outside of all cycles occurs at most once in a chain of calls. Of a cycle at most `rec` frames are live.
template <class Storage>
HD_CALL bool Lowering<Storage>::add_up(WarpProgram& program) {
  // Limits a place in a warp's memory, in quads, to a u32.
  constexpr u64 kMost = u64{1} << 25;
  cycles_.clear();
  u64 cells = 0, words = kFuelWords;
  for (size_t k = 0; k < worklist_.size(); ++k) {
    const u32 number = worklist_[k];
    const Function& f = code_.functions[number];
    const LoweredFunction& lowered = functions_[number];
    if (f.cycle == 0) {
      cells += lowered.cells;
      words += lowered.words;
      continue;
    }
    if (cycles_.size() < f.cycle) cycles_.resize(f.cycle);
    Cycle& cycle = cycles_[f.cycle - 1];
    cycle.cells = std::max(cycle.cells, u64{lowered.cells} * f.rec);
    cycle.words = std::max(cycle.words, u64{lowered.words} * f.rec);
  }
  for (size_t k = 0; k < cycles_.size(); ++k) {
    cells += cycles_[k].cells;
    words += cycles_[k].words + 1;
  }
  program.cycles = static_cast<u16>(cycles_.size());
  program.cells = static_cast<u32>(cells);
  program.words = static_cast<u32>(words);
  return cells < kMost && words < kMost;
}

template <class Storage>
HD_CALL void Lowering<Storage>::lower_function(u32 number) {
  const Function& f = code_.functions[number];
  code_begin_ = f.code_begin;
  code_size_ = f.code_end - f.code_begin;
  slot_types_ = code_.slot_types + f.slots_begin;
  returns_early_ = false;
  for (u32 at = 0; at + 1 < code_size_; ++at)
    returns_early_ |= code_.instructions[code_begin_ + at].op == Op::Return;
  is_reachable_ = true;
  stack_base_ = f.slots + (returns_early_ ? f.result_cells : 0u);
  most_stack_ = f.max_stack;
  cells_ = std::max<u32>(stack_base_, f.result_cells);
  places_ = most_places_ = 1;
  in_accumulator_ = producer_ = moved_ = 0;
  pushes_ = false;
  shrink(0);
  regions_.clear();
  arm_types_.clear();
  pc_ = 0;
  has_room_ = has_room(stack_, most_stack_ + 1) && has_step_room();
  if (!has_room_) return;

  functions_[number].first_op = here();
  WarpOp& start = emit(WarpControl::Enter);
  start.a = f.cycle;
  start.b = f.rec;
  while (true) {
    close_merges();
    if (!has_room_ || pc_ >= code_size_) break;
    next_pc_ = pc_ + 1;
    has_room_ = has_step_room();
    if (!has_room_) return;
    lower_instruction(f, code_.instructions[code_begin_ + pc_]);
    pc_ = next_pc_;
  }
  if (!has_room_ || !has_step_room()) {
    has_room_ = false;
    return;
  }
  if (!is_reachable_) end_function(f);
  functions_[number].cells = cells_;
  functions_[number].words = most_places_ + 1;
  constexpr u32 kLargest = 0xFFFF;
  if (cells_ > kLargest || most_places_ >= kLargest) fits_ = false;
}

// True if there is room for all that an instruction, or the end of a region or function, may add. The most is added
// by those that move each value of the stack home and then emit an operation for each cell, such as STORE_AT, and by
// those that move results twice, at the end of a function that returns early: three operations for each value, and
// three more.
template <class Storage>
HD_CALL bool Lowering<Storage>::has_step_room() {
  const u32 stack = most_stack_ + 1, ops = 4 * stack + 16;
  return has_room(*ops_, ops) && has_room(*places_of_ops_, ops) && has_room(*constants_, stack) &&
         has_room(calls_, 1) && has_room(regions_, 1) && has_room(arm_types_, stack);
}

template <class Storage>
HD_CALL WarpOp& Lowering<Storage>::emit(WarpOpcode code) {
  ops_->push_back({});
  places_of_ops_->push_back(code_begin_ + pc_);
  WarpOp& op = ops_->back();
  op.code = code;
  if (pushes_) {
    op.flags = WarpOp::kPushes | (pushes_wide_ ? WarpOp::kPushesWide : 0);
    op.push = static_cast<u16>(push_cell_);
    pushes_ = false;
  }
  producer_ = 0;
  return op;
}

template <class Storage>
HD_CALL u32 Lowering<Storage>::home(u32 position) {
  const u32 cell = stack_base_ + position;
  cells_ = std::max(cells_, cell + 1);
  return cell;
}

template <class Storage>
HD_CALL void Lowering<Storage>::set_operand(WarpOp& op, bool is_right, u32 position) {
  const Value& v = stack_[position];
  WarpSource source = WarpSource::Cell;
  u16& cell = is_right ? op.b : op.a;
  switch (v.where) {
    case Where::Accumulator: source = WarpSource::Accumulator; break;
    case Where::Home: cell = static_cast<u16>(home(position)); break;
    case Where::Slot: cell = static_cast<u16>(v.number); break;
    case Where::Constant:
      source = WarpSource::Constant;
      op.d = v.number;
      break;
  }
  op.sources |= static_cast<u8>(static_cast<u32>(source) << (is_right ? 4 : 0));
  if (is_wide_cell(v.type)) op.flags |= is_right ? WarpOp::kRightWide : WarpOp::kLeftWide;
}

template <class Storage>
HD_CALL void Lowering<Storage>::set_store(WarpOp& op, u32 cell, Scalar type) {
  op.flags |= WarpOp::kStores;
  if (is_wide_cell(type)) op.flags |= WarpOp::kStoresWide;
  op.c = static_cast<u16>(cell);
}

// The next operation sends the value there home.
template <class Storage>
HD_CALL void Lowering<Storage>::free_accumulator() {
  if (in_accumulator_ == 0) return;
  const u32 position = in_accumulator_ - 1;
  stack_[position].where = Where::Home;
  push_cell_ = home(position);
  pushes_wide_ = is_wide_cell(stack_[position].type);
  pushes_ = true;
  in_accumulator_ = 0;
}

template <class Storage>
HD_CALL void Lowering<Storage>::send_home(u32 position) {
  if (stack_[position].where == Where::Home) return;
  const bool is_there = stack_[position].where == Where::Accumulator;
  free_accumulator();
  if (is_there) return;
  move_to(position, home(position));
  stack_[position].where = Where::Home;
}

// Called before control splits the cases: slots may change on one way only, and there is one accumulator.
template <class Storage>
HD_CALL void Lowering<Storage>::settle(u32 below) {
  for (u32 position = kept_below_; position < below; ++position)
    if (stack_[position].where == Where::Slot) send_home(position);
  kept_below_ = std::max(kept_below_, below);
  if (in_accumulator_ != 0 && in_accumulator_ <= below) free_accumulator();
}

template <class Storage>
HD_CALL void Lowering<Storage>::shrink(u32 to) {
  stack_.resize(to);
  kept_below_ = std::min(kept_below_, to);
  if (in_accumulator_ > to) in_accumulator_ = 0;
}

template <class Storage>
HD_CALL void Lowering<Storage>::lower_instruction(const Function& f, Instruction i) {
  const OpForm form = op_row(i.op).form;
  switch (form) {
    case OpForm::Const: push_constant(i.type, i.b); break;
    case OpForm::Load: load_slots(i.a, 1); break;
    case OpForm::Store: store(i.a); break;
    case OpForm::LoadSlots: load_slots(i.a, i.b); break;
    case OpForm::StoreSlots: store_slots(i.a, i.b); break;
    case OpForm::LoadAt: load_at(i); break;
    case OpForm::StoreAt: store_at(i); break;
    case OpForm::Ref: refer(i); break;
    case OpForm::RefPart: part_reference(); break;
    case OpForm::LoadRef: load_referred(i); break;
    case OpForm::Project: project(i.b >> 16, i.b & 0xFFFF, i.a); break;
    case OpForm::Copy: push_again(height() - 1 - i.a - i.b, i.b + 1); break;
    case OpForm::Repeat: push_again(height() - i.a, i.a * (i.b - 1)); break;
    case OpForm::Consts: load_constants(i); break;
    case OpForm::EqCells: compare_cells(i); break;
    case OpForm::Branch: open_branch(i); break;
    case OpForm::Jump: end_first_arm(i); break;
    case OpForm::ShortCircuit: open_short_circuit(i); break;
    case OpForm::Loop: open_loop(i); break;
    case OpForm::BreakIf:
    case OpForm::ForNext: break_if(i); break;
    case OpForm::LoopExit: exit_loop(i); break;
    case OpForm::End: close_loop(); break;
    case OpForm::Slot:
      keep_values_of(i.a, 1, height());
      emit(WarpControl::Limit).a = i.a;
      break;
    case OpForm::Plain: emit(WarpControl::Tick); break;
    case OpForm::Ticks: emit_test(WarpControl::Ticks); break;
    case OpForm::Call: call(i); break;
    case OpForm::Return: return_values(f); break;
    case OpForm::Assert: require(Trap::Assert); break;
    case OpForm::Require: require(static_cast<Trap>(i.a)); break;
    case OpForm::TrapNow:
      emit(WarpControl::TrapNow).a = i.a;
      unreachable_from_here();
      break;
    case OpForm::Hole:
      emit(WarpControl::TrapNow).a = static_cast<u16>(Trap::Hole);
      unreachable_from_here();
      break;
    case OpForm::Unary:
    case OpForm::Binary:
    case OpForm::Ternary:
    case OpForm::Shift:
    case OpForm::Compare:
    case OpForm::Order:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::Near:
    case OpForm::Convert: compute(i, form); break;
  }
}

template <class Storage>
HD_CALL WarpOpcode Lowering<Storage>::opcode_of(Instruction i, OpForm form) {
  const WarpOpcode hot = lowering::hot_code(i.op, i.type);
  if (hot != 0) return hot;
  const bool has_second_type = form == OpForm::Shift || form == OpForm::Convert;
  return warp_opcode_of_any(i.op, i.type,
                            has_second_type ? static_cast<Scalar>(i.a) : Scalar::None);
}

template <class Storage>
HD_CALL void Lowering<Storage>::compute(Instruction i, OpForm form) {
  const u32 operands = operand_count(form), bottom = height() - operands;
  if (operands == 3 && stack_[bottom + 2].where != Where::Slot) send_home(bottom + 2);
  // An operation can name only one constant.
  if (operands > 1 && stack_[bottom].where == Where::Constant &&
      stack_[bottom + 1].where == Where::Constant)
    send_home(bottom);
  if (in_accumulator_ != 0 && in_accumulator_ <= bottom) free_accumulator();

  WarpOp& op = emit(opcode_of(i, form));
  set_operand(op, false, bottom);
  if (operands > 1) set_operand(op, true, bottom + 1);
  if (operands > 2) {
    const Value& third = stack_[bottom + 2];
    op.flags |= WarpOp::kHasThird;
    op.c = static_cast<u16>(third.where == Where::Slot ? third.number : home(bottom + 2));
  }
  shrink(bottom);
  push_result(result_type(form, i.type));
  if (operands > 2) producer_ = 0;
}

template <class Storage>
HD_CALL void Lowering<Storage>::project(u32 taken, u32 first, u32 kept) {
  const u32 bottom = height() - taken;
  kept_below_ = std::min(kept_below_, bottom);
  const u32 there = in_accumulator_ - 1;
  if (in_accumulator_ != 0 && there >= bottom &&
      (there < bottom + first || there >= bottom + first + kept))
    in_accumulator_ = 0;
  for (u32 k = 0; k < kept && first != 0; ++k) {
    const u32 from = bottom + first + k, to = bottom + k;
    if (stack_[from].where == Where::Home) {
      free_accumulator();
      move_to(from, home(to));
    }
    stack_[to] = stack_[from];
    if (stack_[to].where == Where::Accumulator) in_accumulator_ = to + 1;
  }
  shrink(bottom + kept);
  producer_ = 0;
}

}  // namespace komuz::vm
