// SPDX-License-Identifier: Apache-2.0
// Finds why the checker's walk over a function ended early. Cold code, apart from the walk.
#pragma once
#include "lang/check/check_function.h"

namespace komuz {

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::no_room() {
  outcome_ = Checked::NoRoom;
  return false;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::fail(u32 at, CheckReason reason,
                                            const CheckNumbers& numbers) {
  program_->words->note(program_->code, function_, header_->code_begin + at, reason, numbers);
  outcome_ = Checked::Unsound;
  return false;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::fail_fields(u32 at) {
  const Instruction i = code_[at];
  return fail(at, CheckReason::Fields,
              {{static_cast<u64>(i.op), static_cast<u64>(i.type), i.a, i.b}});
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::fail_constant(u32 at, u32 number) {
  if (number >= constants_.size())
    return fail(at, CheckReason::ConstantRange, {{number, constants_.size()}});
  return fail(at, CheckReason::ConstantType, {{number, static_cast<u64>(code_[at].type)}});
}

// Why walk_straight stopped at an instruction whose type its operation admits.
template <class Storage>
HD_CALL bool FunctionChecker<Storage>::fail_straight(u32 at) {
  const Instruction i = code_[at];
  const OpForm form = op_row(i.op).form;
  const bool is_slot = form == OpForm::Load || form == OpForm::Store;
  if ((i.a != 0 && !is_slot) || (i.b != 0 && form != OpForm::Const)) return fail_fields(at);
  if (form == OpForm::Const && height_ < most_cells_) return fail_constant(at, i.b);
  if (form == OpForm::Load && (!slot_is(at, i.a, i.type) || !read(at, i.a, i.type))) return false;
  if (form == OpForm::Store && !slot_is(at, i.a, i.type)) return false;
  if (form == OpForm::Const || form == OpForm::Load) return fail_height(at);
  const Scalar types[3] = {i.type, i.type, i.type};
  return fail_operands(at, bytes_of(types), form == OpForm::Store ? 1 : operand_count(form));
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::fail_slot(u32 at, u32 slot, Scalar type) {
  if (slot >= header_->slots) return fail(at, CheckReason::SlotNumber, {{slot, header_->slots}});
  if (slot_type(slot) != type)
    return fail(at, CheckReason::SlotHolds,
                {{slot, static_cast<u64>(slot_type(slot)), static_cast<u64>(type)}});
  return fail(at, CheckReason::SlotUnwritten, {{slot}});
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::fail_height(u32 at) {
  if (most_cells_ < program_->max_cells) return no_room();
  return fail(at, CheckReason::StackHeight, {{program_->max_cells}});
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::fail_operands(u32 at, const u8* types, u32 count) {
  const u32 present = std::min(count, height_ - base_);
  program_->words->note_operands(program_->code, function_, header_->code_begin + at,
                                 {types, count}, {bytes_of(cells_ + (height_ - present)), present});
  outcome_ = Checked::Unsound;
  return false;
}

}  // namespace komuz
