// SPDX-License-Identifier: Apache-2.0
// The walk over a function and the effect of each form of instruction on operand stack and slots. Control flow is in
// check_regions.cpp.
#include "lang/check_function.h"

#include <algorithm>

namespace komuz {
namespace {

// `types` of a form whose field `type` is not in use admit Scalar::None alone.
constexpr u16 allowed_types(TypeSet types) {
  return types == type_set::kNone ? type_bit(Scalar::None) : types;
}

// From which types an operation converts to `to`.
TypeSet convertible_types(Op op, Scalar to) {
  const bool narrow = scalar_bytes(to) == 4;
  if (op == Op::Wrap) return type_set::kInt;
  if (op == Op::Bits && scalar_bytes(to) == 1) return type_set::kNone;
  if (op == Op::Bits) return type_bit(narrow ? Scalar::F32 : Scalar::F64);
  if (op == Op::FromBits) return type_bit(narrow ? Scalar::U32 : Scalar::U64);
  return type_set::kAny;
}

bool is_canonical(u64 cell, Scalar type) {
  switch (scalar_class(type)) {
    case ScalarClass::None: return false;
    case ScalarClass::Bool: return cell <= 1;
    case ScalarClass::Signed:
      return scalar_bytes(type) == 8 ||
             static_cast<i64>(cell) == static_cast<i32>(static_cast<u32>(cell));
    case ScalarClass::Unsigned:
    case ScalarClass::Float: return scalar_bytes(type) == 8 || cell >> scalar_bits(type) == 0;
  }
  return false;
}

// The topmost cells of a list of types.
template <class Type>
std::string cells_text(const Type* cells, u32 count) {
  constexpr u32 kMostNamed = 8;
  std::string text = "(";
  for (u32 c = count - std::min(count, kMostNamed); c < count; ++c) {
    if (text.size() > 1) text += ", ";
    text += scalar_name(static_cast<Scalar>(cells[c]));
  }
  return text + ")";
}

}  // namespace

bool FunctionChecker::check(const Program& program, u32 function, std::vector<u32>& callees) {
  start(program, function);
  if (count_ == 0) {
    error_ = {function, static_cast<u32>(program.code.instructions.size()),
              "a function needs a RETURN"};
    return false;
  }
  if (code_[count_ - 1].op != Op::Return)
    return fail(count_ - 1, "the last instruction of a function must be RETURN");
  for (u32 at = 0; at < count_; ++at) {
    while (at == next_merge_)
      if (!merge(at)) return false;
    if (!step(at, callees)) return false;
  }
  return true;
}

void FunctionChecker::start(const Program& program, u32 function) {
  program_ = &program;
  function_ = function;
  header_ = &program.code.functions[function];
  code_ = program.code.instructions.data() + header_->code_begin;
  count_ = header_->code_end - header_->code_begin;
  slot_types_ = program.code.slot_types.data() + header_->slots_begin;

  if (cells_.size() < program.max_cells) cells_.resize(program.max_cells);
  height_ = max_height_ = 0;
  regions_.clear();
  arm_types_.clear();
  writes_.clear();
  written_.assign(header_->slots, 0);
  std::fill_n(written_.begin(), header_->parameter_slots, u8{1});
  loops_ = 0;
  open(Kind::Function, count_ == 0 ? 0 : count_ - 1, 0);
}

bool FunctionChecker::step(u32 at, std::vector<u32>& callees) {
  const Instruction i = code_[at];
  if (static_cast<u32>(i.op) >= kOpCount) return fail_fields(at);
  const OpRow& row = op_row(i.op);
  if (static_cast<u32>(i.type) >= kScalarCount || !(allowed_types(row.types) & type_bit(i.type)))
    return fail_fields(at);

  switch (row.form) {
    case OpForm::Const:
      if (i.a != 0) return fail_fields(at);
      return constant_is_canonical(at, i) && push(at, i.type);
    case OpForm::Load:
      if (i.b != 0) return fail_fields(at);
      return read(at, i.a, i.type) && push(at, i.type);
    case OpForm::Store:
      if (i.b != 0) return fail_fields(at);
      if (!slot_is(at, i.a, i.type) || !pop(at, i.type)) return false;
      write(i.a);
      return true;
    case OpForm::Project: return project(at, i);
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
        return fail(at, std::string(row.mnemonic) + " " + std::to_string(i.a) + ", but only " +
                            std::to_string(loops_) + " loops enclose it");
      return true;
    case OpForm::End: return end_loop(at);
    case OpForm::Slot:
      if (i.b != 0) return fail_fields(at);
      return read(at, i.a, Scalar::I64);
    case OpForm::Plain:
      if (i.a != 0 || i.b != 0) return fail_fields(at);
      return true;
    case OpForm::Call: return call(at, i, callees);
    case OpForm::Return:
      if (i.a != 0 || i.b != 0) return fail_fields(at);
      return return_values(at);
    case OpForm::Assert:
      if (i.a != 0 || i.b != 0) return fail_fields(at);
      return pop(at, Scalar::Bool);
    case OpForm::TrapNow:
      if (i.a == 0 || i.a >= kTrapCount || i.b != 0) return fail_fields(at);
      return true;
    case OpForm::Unary:
    case OpForm::Binary:
    case OpForm::Ternary:
    case OpForm::Shift:
    case OpForm::Compare:
    case OpForm::Order:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::Near:
    case OpForm::Convert: return step_pure(at, i, row.form);
  }
  return fail_fields(at);
}

bool FunctionChecker::step_pure(u32 at, Instruction i, OpForm form) {
  if (i.b != 0) return fail_fields(at);
  Scalar types[3] = {i.type, i.type, i.type};
  u32 pops = 2;
  Scalar result = i.type;
  bool uses_a = false;
  switch (form) {
    case OpForm::Unary: pops = 1; break;
    case OpForm::Binary: break;
    case OpForm::Ternary: pops = 3; break;
    case OpForm::Shift:
      if (i.a >= kScalarCount || !is_integer(static_cast<Scalar>(i.a))) return fail_fields(at);
      types[1] = static_cast<Scalar>(i.a);
      uses_a = true;
      break;
    case OpForm::Compare: result = Scalar::Bool; break;
    case OpForm::Order: result = Scalar::I64; break;
    case OpForm::Predicate:
      pops = 1;
      result = Scalar::Bool;
      break;
    case OpForm::Count:
      pops = 1;
      result = Scalar::I64;
      break;
    case OpForm::Near:
      pops = 3;
      result = Scalar::Bool;
      break;
    case OpForm::Convert:
      if (i.a >= kScalarCount ||
          !(convertible_types(i.op, i.type) & type_bit(static_cast<Scalar>(i.a))))
        return fail_fields(at);
      pops = 1;
      types[0] = static_cast<Scalar>(i.a);
      uses_a = true;
      break;
    case OpForm::Const:
    case OpForm::Load:
    case OpForm::Store:
    case OpForm::Project:
    case OpForm::Branch:
    case OpForm::Jump:
    case OpForm::ShortCircuit:
    case OpForm::Loop:
    case OpForm::BreakIf:
    case OpForm::ForNext:
    case OpForm::LoopExit:
    case OpForm::End:
    case OpForm::Slot:
    case OpForm::Plain:
    case OpForm::Call:
    case OpForm::Return:
    case OpForm::Assert:
    case OpForm::TrapNow: return fail_fields(at);
  }
  if (!uses_a && i.a != 0) return fail_fields(at);
  return operate(at, pops, types, result);
}

bool FunctionChecker::pop(u32 at, Scalar type) {
  if (!has(1) || cells_[height_ - 1] != static_cast<u8>(type)) return fail_operands(at, &type, 1);
  --height_;
  return true;
}

bool FunctionChecker::pop_types(u32 at, const u8* types, u32 count) {
  if (!has(count) || !std::equal(types, types + count, cells_.begin() + (height_ - count)))
    return fail_operands(at, reinterpret_cast<const Scalar*>(types), count);
  height_ -= count;
  return true;
}

bool FunctionChecker::push(u32 at, Scalar type) {
  if (height_ >= program_->max_cells)
    return fail(at, "the operand stack would hold more than " +
                        std::to_string(program_->max_cells) + " cells");
  cells_[height_++] = static_cast<u8>(type);
  max_height_ = std::max(max_height_, height_);
  return true;
}

// Pushes the scalars of a type, whose codes are sound.
bool FunctionChecker::push_types(u32 at, std::span<const u8> codes) {
  for (size_t c = 0; c < codes.size(); ++c) {
    if (codes[c] == kTupleCode)
      ++c;  // its number of elements
    else if (!push(at, static_cast<Scalar>(codes[c])))
      return false;
  }
  return true;
}

bool FunctionChecker::operate(u32 at, u32 pops, const Scalar* types, Scalar result) {
  if (!has(pops)) return fail_operands(at, types, pops);
  u8* operands = cells_.data() + (height_ - pops);
  bool equal = operands[0] == static_cast<u8>(types[0]);
  if (pops > 1) equal &= operands[1] == static_cast<u8>(types[1]);
  if (pops > 2) equal &= operands[2] == static_cast<u8>(types[2]);
  if (!equal) return fail_operands(at, types, pops);
  operands[0] = static_cast<u8>(result);
  height_ = height_ - pops + 1;
  return true;
}

bool FunctionChecker::project(u32 at, Instruction i) {
  const u32 taken = i.b >> 16, first = i.b & 0xFFFF, kept = i.a;
  if (first + kept > taken)
    return fail(at, "PROJECT keeps cells " + std::to_string(first) + " to " +
                        std::to_string(first + kept) + " of only " + std::to_string(taken));
  if (!has(taken))
    return fail(at, "PROJECT takes " + std::to_string(taken) + " cells, but there are only " +
                        std::to_string(height_ - base_));
  const auto cells = cells_.begin() + (height_ - taken);
  std::copy(cells + first, cells + first + kept, cells);
  height_ = height_ - taken + kept;
  return true;
}

bool FunctionChecker::constant_is_canonical(u32 at, Instruction i) {
  const std::span<const u64> constants = program_->code.constants;
  if (i.b >= constants.size())
    return fail(at, "constant " + std::to_string(i.b) + " of only " +
                        std::to_string(constants.size()));
  if (!is_canonical(constants[i.b], i.type))
    return fail(at, "constant " + std::to_string(i.b) + " is no " +
                        std::string(scalar_name(i.type)));
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
  if (callee.result_cells == 0) return true;
  const u32 begin = program_->result_types_at[i.a];
  const size_t end = skip_type(code.type_codes(), begin);
  return push_types(at, code.types.subspan(begin, end - begin));
}

bool FunctionChecker::slot_is(u32 at, u32 slot, Scalar type) {
  if (slot >= header_->slots)
    return fail(at, "slot " + std::to_string(slot) + " of only " + std::to_string(header_->slots));
  if (slot_types_[slot] != static_cast<u8>(type))
    return fail(at, "slot " + std::to_string(slot) + " holds " +
                        std::string(scalar_name(static_cast<Scalar>(slot_types_[slot]))) +
                        ", not " + std::string(scalar_name(type)));
  return true;
}

bool FunctionChecker::read(u32 at, u32 slot, Scalar type) {
  if (!slot_is(at, slot, type)) return false;
  if (!written_[slot])
    return fail(at, "slot " + std::to_string(slot) + " may be read before it is written");
  return true;
}

void FunctionChecker::write(u32 slot) {
  if (written_[slot]) return;
  written_[slot] = 1;
  writes_.push_back(static_cast<u16>(slot));
}

void FunctionChecker::forget_writes(u32 writes_begin) {
  for (size_t w = writes_begin; w < writes_.size(); ++w) written_[writes_[w]] = 0;
  writes_.resize(writes_begin);
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

bool FunctionChecker::fail(u32 at, std::string reason) {
  error_ = {function_, header_->code_begin + at, std::move(reason)};
  return false;
}

bool FunctionChecker::fail_fields(u32 at) {
  const Instruction i = code_[at];
  return fail(at, "operation " + std::to_string(static_cast<u32>(i.op)) + " (" +
                      std::string(op_row(i.op).mnemonic) + ") does not take type " +
                      std::to_string(static_cast<u32>(i.type)) + ", a " + std::to_string(i.a) +
                      ", b " + std::to_string(i.b));
}

bool FunctionChecker::fail_operands(u32 at, const Scalar* types, u32 count) {
  const u32 present = std::min(count, height_ - base_);
  return fail(at, std::string(op_row(code_[at].op).mnemonic) + " takes " +
                      std::to_string(count) + " cells " + cells_text(types, count) + ", but finds " +
                      cells_text(cells_.data() + (height_ - present), present));
}

}  // namespace komuz
