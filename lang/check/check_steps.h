// SPDX-License-Identifier: Apache-2.0
// The walk over a function, and the effect of each form of instruction on operand stack and slots.
#pragma once
#include <algorithm>
#include <type_traits>

#include "lang/check/check_function.h"

namespace komuz {

// The types from which an operation converts to `to`.
HD constexpr TypeSet convertible_types(Op op, Scalar to) {
  const bool narrow = scalar_bytes(to) == 4;
  if (op == Op::Wrap) return type_set::kInt;
  if (op == Op::Exact) return type_set::kNumber;
  if (op == Op::Bits && scalar_bytes(to) == 1) return type_set::kNone;
  if (op == Op::Bits) return type_bit(narrow ? Scalar::F32 : Scalar::F64);
  if (op == Op::FromBits) return type_bit(narrow ? Scalar::U32 : Scalar::U64);
  return type_set::kAny;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::start(const Program& program, u32 function) {
  program_ = &program;
  outcome_ = Checked::Sound;
  function_ = function;
  header_ = &program.code.functions[function];
  code_ = program.code.instructions.data() + header_->code_begin;
  count_ = header_->code_end - header_->code_begin;
  constants_ = program.code.constants;

  constexpr u32 kAround = kCellsBelow + 1;
  const size_t wanted = kAround + program.max_cells, size = cell_memory_.size();
  if (size < wanted)
    cell_memory_.resize(has_room(cell_memory_, wanted - size) ? wanted : cell_memory_.capacity());
  most_cells_ = std::min(program.max_cells, static_cast<u32>(cell_memory_.size()) - kAround);
  cells_ = cell_memory_.data() + kCellsBelow;
  height_ = max_height_ = 0;
  regions_.clear();
  arm_types_.clear();
  loops_ = ticked_loops_ = 0;
  return start_slots(program.code.slot_types.data() + header_->slots_begin) &&
         open(Kind::Function, count_ == 0 ? 0 : count_ - 1, 0);
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::start_slots(const u8* types) {
  const u32 slots = header_->slots, parameters = header_->parameter_slots;
  if (!make_long(slots_, slots + 1)) return no_room();
  if (writes_.size() <= slots && !make_long(writes_, slots + 1)) return no_room();
  writes_count_ = noted_writes_ = 0;
  knows_areas_ = false;
  for (u32 k = 0; k < slots; ++k)
    slots_[k] = static_cast<u8>(types[k] | (k < parameters ? 0 : kUnwritten));
  slots_[slots] = 0;
  return true;
}

// The instructions that neither walk over straight code handles: control flow, forms with rules of their own, and unsound ones.
template <class Storage>
HD_CALL bool FunctionChecker<Storage>::step(u32 at, List<u32>& callees) {
  const Instruction i = code_[at];
  if (static_cast<u32>(i.op) >= kOpCount) return fail_fields(at);
  const OpRow& row = op_row(i.op);
  if (is_reference(i.type) && is_cell_type(i.type)) {
    if (row.form == OpForm::Load || row.form == OpForm::Store) return move_reference(at, i);
    if (row.form == OpForm::Copy) return copy(at, i);
  }
  const TypeSet types = row.types == type_set::kNone ? type_bit(Scalar::None) : row.types;
  if (static_cast<u32>(i.type) >= kScalarCount || !(types & type_bit(i.type)))
    return fail_fields(at);

  switch (row.form) {
    case OpForm::LoadSlots: return load_slots(at, i);
    case OpForm::StoreSlots: return store_slots(at, i);
    case OpForm::LoadAt: return load_at(at, i);
    case OpForm::StoreAt: return store_at(at, i);
    case OpForm::Ref: return refer(at, i);
    case OpForm::RefPart: return part_reference(at, i);
    case OpForm::LoadRef: return load_referred(at, i);
    case OpForm::Project: return project(at, i);
    case OpForm::Copy: return copy(at, i);
    case OpForm::Repeat: return repeat(at, i);
    case OpForm::Consts: return load_constants(at, i);
    case OpForm::EqCells: return compare_cells(at, i);
    case OpForm::Hole: return load_hole(at, i);
    case OpForm::Branch: return branch(at, i);
    case OpForm::Jump: return jump(at, i);
    case OpForm::ShortCircuit: return short_circuit(at, i);
    case OpForm::Loop: return loop(at, i);
    case OpForm::BreakIf:
      if (i.a != 0 || i.b != 0) return fail_fields(at);
      if (loops_ == 0) return fail(at, CheckReason::BreakOutside);
      return pop(at, Scalar::Bool);
    case OpForm::ForNext: return for_next(at, i);
    case OpForm::LoopExit: return exit_loop(at, i);
    case OpForm::End: return end_loop(at);
    case OpForm::Slot:
      if (i.b != 0) return fail_fields(at);
      return read(at, i.a, Scalar::I64);
    case OpForm::Plain:  // TICK
      if (i.a != 0 || i.b != 0) return fail_fields(at);
      ticked_loops_ = loops_;
      return true;
    case OpForm::Ticks:  // may be 0 ticks, so an iteration needs another tick
      if (i.a != 0 || i.b != 0) return fail_fields(at);
      return pop(at, Scalar::I64);
    case OpForm::Call: return call(at, i, callees);
    case OpForm::Return:
      if (i.a != 0 || i.b != 0) return fail_fields(at);
      ticked_loops_ = loops_;
      return return_values(at);
    case OpForm::Assert:
      if (i.a != 0 || i.b != 0) return fail_fields(at);
      return pop(at, Scalar::Bool);
    case OpForm::Require:
      if (i.a >= kTrapCount || !(row.traps >> i.a & 1) || i.b != 0) return fail_fields(at);
      return pop(at, Scalar::Bool);
    case OpForm::TrapNow:
      if (i.a >= kTrapCount || !(row.traps >> i.a & 1) || i.b != 0) return fail_fields(at);
      ticked_loops_ = loops_;
      return true;
    case OpForm::Shift:
    case OpForm::Convert: return compute(at, i);
    case OpForm::Const:
    case OpForm::Load:
    case OpForm::Store:
    case OpForm::Unary:
    case OpForm::Binary:
    case OpForm::Ternary:
    case OpForm::Compare:
    case OpForm::Order:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::Near: return fail_straight(at);
  }
  return fail_fields(at);
}

// The pure operations with a second type in field a.
template <class Storage>
HD_CALL bool FunctionChecker<Storage>::compute(u32 at, Instruction i) {
  const bool shift = op_row(i.op).form == OpForm::Shift;
  const TypeSet sources = shift ? type_set::kInt : convertible_types(i.op, i.type);
  if (i.a >= kScalarCount || !(sources & type_bit(static_cast<Scalar>(i.a))) || i.b != 0)
    return fail_fields(at);
  const Scalar named = static_cast<Scalar>(i.a);
  const Scalar types[2] = {shift ? i.type : named, named};
  if (!pop_types(at, bytes_of(types), shift ? 2 : 1)) return false;
  cells_[height_++] = i.type;
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::pop_types(u32 at, const u8* types, u32 count) {
  if (!has(count)) return fail_operands(at, types, count);
  const u32 bottom = height_ - count;
  for (u32 k = 0; k < count; ++k)
    if (types[k] != static_cast<u8>(cells_[bottom + k])) return fail_operands(at, types, count);
  height_ = bottom;
  return true;
}

// Pushes the scalars of a type, whose codes are sound.
template <class Storage>
HD_CALL bool FunctionChecker<Storage>::push_types(u32 at, std::string_view codes) {
  bool pushed = true;
  for_each_cell(codes, [&](Scalar cell) { pushed = pushed && push(at, cell); });
  return pushed;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::project(u32 at, Instruction i) {
  const u32 taken = i.b >> 16, first = i.b & 0xFFFF, kept = i.a;
  if (first + kept > taken)
    return fail(at, CheckReason::ProjectRange, {{first, first + kept, taken}});
  if (!has(taken)) return fail(at, CheckReason::TooFewCells, {{taken, height_ - base_}});
  Scalar* const cells = cells_ + (height_ - taken);
  for (u32 k = 0; k < kept; ++k) cells[k] = cells[first + k];
  height_ = height_ - taken + kept;
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::call(u32 at, Instruction i, List<u32>& callees) {
  if (i.b != 0) return fail_fields(at);
  const CodeView& code = program_->code;
  if (i.a >= code.functions.size())
    return fail(at, CheckReason::CallRange, {{i.a, code.functions.size()}});
  const Function& callee = code.functions[i.a];
  if (callee.kind != FunctionKind::Function) return fail(at, CheckReason::CallKind, {{i.a}});
  if (!pop_types(at, code.slot_types.data() + callee.slots_begin, callee.parameter_slots))
    return false;
  if (!has_room(callees, 1)) return no_room();
  callees.push_back(i.a);
  ticked_loops_ = loops_;  // a call costs a tick
  if (callee.result_cells == 0) return true;
  const u32 begin = program_->result_types_at[i.a];
  const std::string_view codes = code.type_codes();
  return push_types(at, codes_between(codes, begin, skip_type(codes, begin)));
}

template <class Storage>
HD_CALL void FunctionChecker<Storage>::forget_writes(u32 writes_begin) {
  for (u32 w = writes_begin; w < writes_count_; ++w) slots_[writes_[w]] |= kUnwritten;
  for (; noted_writes_ > writes_begin; --noted_writes_)
    unwritten_.insert(writes_[noted_writes_ - 1]);
  writes_count_ = writes_begin;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::for_next(u32 at, Instruction i) {
  if (i.b > 1) return fail_fields(at);
  if (loops_ == 0) return fail(at, CheckReason::NextOutside);
  const u32 next = i.a, bound = next + 1, variable = next + 2;
  if (!slot_is(at, variable, i.type) || !read(at, next, i.type) || !read(at, bound, i.type))
    return false;
  write(variable);
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::walk(List<u32>& callees) {
  for (u32 at = 0; at < count_;) {
    if (at == next_merge_) {
      if (!merge(at)) return false;
      continue;
    }
    const u32 end = std::min(count_, next_merge_);
    if constexpr (std::is_same_v<Storage, Growing>) at = walk_one_type(at, end);
    if (at != end) at = walk_straight(at, end);
    if (at != end && !step(at++, callees)) return false;
  }
  return true;
}

template <class Storage>
HD_CALL Checked FunctionChecker<Storage>::check(const Program& program, u32 function,
                                                List<u32>& callees) {
  if (!start(program, function)) return outcome_;
  if (count_ == 0) {
    program.words->note(program.code, function, static_cast<u32>(program.code.instructions.size()),
                        CheckReason::NoReturn);
    return Checked::Unsound;
  }
  if (code_[count_ - 1].op != Op::Return)
    (void)fail(count_ - 1, CheckReason::LastIsNoReturn);
  else
    (void)walk(callees);
  return outcome_;
}

}  // namespace komuz
