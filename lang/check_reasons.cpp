// SPDX-License-Identifier: Apache-2.0
// The words of the checker: why it refuses an instruction. Cold code, apart from the walk.
#include <algorithm>

#include "base/counts.h"
#include "lang/check_function.h"

namespace komuz {
namespace {

// The topmost cells of a list of types.
template <class Type>
std::string cells_text(const Type* cells, u32 count) {
  constexpr u32 kMostNamed = 8;
  std::string text = "(";
  for (u32 c = count - std::min(count, kMostNamed); c < count; ++c) {
    if (text.size() > 1) text += ", ";
    text += cell_type_text(static_cast<Scalar>(cells[c]));
  }
  return text + ")";
}

}  // namespace

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

bool FunctionChecker::fail_constant(u32 at, u32 number) {
  const std::string name = "constant " + std::to_string(number);
  if (number >= constants_.size())
    return fail(at, name + " of only " + std::to_string(constants_.size()));
  return fail(at, name + " is no " + cell_type_text(code_[at].type));
}

// Why walk_straight does not go over an instruction whose type its operation admits.
bool FunctionChecker::fail_straight(u32 at) {
  const Instruction i = code_[at];
  const OpForm form = op_row(i.op).form;
  const bool is_slot = form == OpForm::Load || form == OpForm::Store;
  if ((i.a != 0 && !is_slot) || (i.b != 0 && form != OpForm::Const)) return fail_fields(at);
  if (form == OpForm::Const && height_ < program_->max_cells) return fail_constant(at, i.b);
  if (form == OpForm::Load && (!slot_is(at, i.a, i.type) || !read(at, i.a, i.type))) return false;
  if (form == OpForm::Store && !slot_is(at, i.a, i.type)) return false;
  if (form == OpForm::Const || form == OpForm::Load) return fail_height(at);
  const Scalar types[3] = {i.type, i.type, i.type};
  return fail_operands(at, types, form == OpForm::Store ? 1 : operand_count(form));
}

bool FunctionChecker::fail_slot(u32 at, u32 slot, Scalar type) {
  const std::string name = "slot " + std::to_string(slot);
  if (slot >= header_->slots) return fail(at, name + " of only " + std::to_string(header_->slots));
  if ((slots_[slot] & ~kUnwritten) != static_cast<u8>(type))
    return fail(at, name + " holds " +
                        cell_type_text(static_cast<Scalar>(slots_[slot] & ~kUnwritten)) + ", not " +
                        cell_type_text(type));
  return fail(at, name + " may be read before it is written");
}

bool FunctionChecker::fail_height(u32 at) {
  return fail(at, "the operand stack would hold more than " + counted(program_->max_cells, "cell"));
}

bool FunctionChecker::fail_operands(u32 at, const Scalar* types, u32 count) {
  return fail_operands(at, count, cells_text(types, count));
}

bool FunctionChecker::fail_operands(u32 at, const u8* types, u32 count) {
  return fail_operands(at, count, cells_text(types, count));
}

bool FunctionChecker::fail_operands(u32 at, u32 count, const std::string& wanted) {
  const u32 present = std::min(count, height_ - base_);
  return fail(at, std::string(op_row(code_[at].op).mnemonic) + " takes " + counted(count, "cell") +
                      " " + wanted + ", but finds " +
                      cells_text(cells_ + (height_ - present), present));
}

}  // namespace komuz
