// SPDX-License-Identifier: Apache-2.0
// The walk over a function, and what each form of instruction does to operand stack and slots. Straight code is in
// check_straight.cpp, control flow in check_regions.cpp.
#include "lang/check_function.h"

#include <algorithm>

#include "base/counts.h"

namespace komuz {
namespace {

// From which types an operation converts to `to`.
TypeSet convertible_types(Op op, Scalar to) {
  const bool narrow = scalar_bytes(to) == 4;
  if (op == Op::Wrap) return type_set::kInt;
  if (op == Op::Exact) return type_set::kNumber;
  if (op == Op::Bits && scalar_bytes(to) == 1) return type_set::kNone;
  if (op == Op::Bits) return type_bit(narrow ? Scalar::F32 : Scalar::F64);
  if (op == Op::FromBits) return type_bit(narrow ? Scalar::U32 : Scalar::U64);
  return type_set::kAny;
}

}  // namespace

void FunctionChecker::start(const Program& program, u32 function) {
  program_ = &program;
  function_ = function;
  header_ = &program.code.functions[function];
  code_ = program.code.instructions.data() + header_->code_begin;
  count_ = header_->code_end - header_->code_begin;
  constants_ = program.code.constants;

  const size_t room = kCellsBelow + program.max_cells + size_t{1};
  if (cell_memory_.size() < room) cell_memory_.resize(room);
  cells_ = cell_memory_.data() + kCellsBelow;
  height_ = max_height_ = 0;
  regions_.clear();
  arm_types_.clear();
  start_slots(program.code.slot_types.subspan(header_->slots_begin, header_->slots));
  loops_ = ticked_loops_ = 0;
  open(Kind::Function, count_ == 0 ? 0 : count_ - 1, 0);
}

void FunctionChecker::start_slots(std::span<const u8> types) {
  slots_.resize(types.size() + 1);
  if (writes_.size() < slots_.size()) writes_.resize(slots_.size());
  writes_count_ = noted_writes_ = 0;
  knows_areas_ = false;
  const u32 parameters = header_->parameter_slots;
  for (u32 k = 0; k < types.size(); ++k)
    slots_[k] = static_cast<u8>(types[k] | (k < parameters ? 0 : kUnwritten));
  slots_[types.size()] = 0;
}

// What walk_straight leaves: control flow and the other forms with rules of their own, and what is wrong.
bool FunctionChecker::step(u32 at, std::vector<u32>& callees) {
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
      if (loops_ == 0) return fail(at, "no loop encloses BREAK_IF_FALSE");
      return pop(at, Scalar::Bool);
    case OpForm::ForNext: return for_next(at, i);
    case OpForm::LoopExit:
      if (i.b != 0) return fail_fields(at);
      if (i.a >= loops_)
        return fail(at, std::string(row.mnemonic) + " " + std::to_string(i.a) + " inside of only " +
                            counted(loops_, "loop"));
      if (i.op == Op::Continue && loops_ - 1 - i.a >= ticked_loops_)
        return fail(at, "an iteration may come to this CONTINUE without a tick");
      ticked_loops_ = loops_;  // control does not go on from here
      return true;
    case OpForm::End: return end_loop(at);
    case OpForm::Slot:
      if (i.b != 0) return fail_fields(at);
      return read(at, i.a, Scalar::I64);
    case OpForm::Plain:  // TICK
      if (i.a != 0 || i.b != 0) return fail_fields(at);
      ticked_loops_ = loops_;
      return true;
    case OpForm::Ticks:  // may be none: an iteration needs another tick
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

// The pure operations that name a second type in field a.
bool FunctionChecker::compute(u32 at, Instruction i) {
  const bool shift = op_row(i.op).form == OpForm::Shift;
  const TypeSet sources = shift ? type_set::kInt : convertible_types(i.op, i.type);
  if (i.a >= kScalarCount || !(sources & type_bit(static_cast<Scalar>(i.a))) || i.b != 0)
    return fail_fields(at);
  const Scalar named = static_cast<Scalar>(i.a);
  const Scalar types[2] = {shift ? i.type : named, named};
  const u32 pops = shift ? 2 : 1, bottom = height_ - pops;
  if (!has(pops) || !std::equal(types, types + pops, cells_ + bottom))
    return fail_operands(at, types, pops);
  cells_[bottom] = i.type;
  height_ = bottom + 1;
  return true;
}

bool FunctionChecker::pop_types(u32 at, const u8* types, u32 count) {
  const auto is_code_of = [](u8 code, Scalar type) { return code == static_cast<u8>(type); };
  if (!has(count) || !std::equal(types, types + count, cells_ + (height_ - count), is_code_of))
    return fail_operands(at, types, count);
  height_ -= count;
  return true;
}

// Pushes the scalars of a type, whose codes are sound.
bool FunctionChecker::push_types(u32 at, std::string_view codes) {
  bool pushed = true;
  for_each_cell(codes, [&](Scalar cell) { pushed = pushed && push(at, cell); });
  return pushed;
}

bool FunctionChecker::project(u32 at, Instruction i) {
  const u32 taken = i.b >> 16, first = i.b & 0xFFFF, kept = i.a;
  if (first + kept > taken)
    return fail(at, "PROJECT keeps cells " + std::to_string(first) + " to " +
                        std::to_string(first + kept) + " of only " + std::to_string(taken));
  if (!has(taken))
    return fail(at, "PROJECT takes " + counted(taken, "cell") + ", but there are only " +
                        std::to_string(height_ - base_));
  const auto cells = cells_ + (height_ - taken);
  std::copy(cells + first, cells + first + kept, cells);
  height_ = height_ - taken + kept;
  return true;
}

bool FunctionChecker::call(u32 at, Instruction i, std::vector<u32>& callees) {
  if (i.b != 0) return fail_fields(at);
  const CodeView& code = program_->code;
  if (i.a >= code.functions.size())
    return fail(at, "CALL of function " + std::to_string(i.a) + " of only " +
                        std::to_string(code.functions.size()));
  const Function& callee = code.functions[i.a];
  if (callee.kind != FunctionKind::Function)
    return fail(at, "CALL of function " + std::to_string(i.a) + ", which is no `fn`");
  if (!pop_types(at, code.slot_types.data() + callee.slots_begin, callee.parameter_slots))
    return false;
  callees.push_back(i.a);
  ticked_loops_ = loops_;  // a call costs a tick
  if (callee.result_cells == 0) return true;
  const u32 begin = program_->result_types_at[i.a];
  const size_t end = skip_type(code.type_codes(), begin);
  return push_types(at, code.type_codes().substr(begin, end - begin));
}

void FunctionChecker::forget_writes(u32 writes_begin) {
  for (u32 w = writes_begin; w < writes_count_; ++w) slots_[writes_[w]] |= kUnwritten;
  for (; noted_writes_ > writes_begin; --noted_writes_)
    unwritten_.insert(writes_[noted_writes_ - 1]);
  writes_count_ = writes_begin;
}

bool FunctionChecker::for_next(u32 at, Instruction i) {
  if (i.b > 1) return fail_fields(at);
  if (loops_ == 0) return fail(at, "no loop encloses FOR_NEXT");
  const u32 next = i.a, bound = next + 1, variable = next + 2;
  if (!slot_is(at, variable, i.type) || !read(at, next, i.type) || !read(at, bound, i.type))
    return false;
  write(variable);
  return true;
}

bool FunctionChecker::check(const Program& program, u32 function, std::vector<u32>& callees) {
  start(program, function);
  if (count_ == 0) {
    error_ = {function, static_cast<u32>(program.code.instructions.size()),
              "a function needs a RETURN"};
    return false;
  }
  if (code_[count_ - 1].op != Op::Return)
    return fail(count_ - 1, "the last instruction of a function must be RETURN");
  for (u32 at = 0; at < count_;) {
    if (at == next_merge_) {
      if (!merge(at)) return false;
      continue;
    }
    const u32 end = std::min(count_, next_merge_);
    at = walk_straight(at, end);
    if (at != end && !step(at++, callees)) return false;
  }
  return true;
}

}  // namespace komuz
