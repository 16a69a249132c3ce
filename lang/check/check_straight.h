// SPDX-License-Identifier: Apache-2.0
// Checks straight code: constants, variables and pure operations whose cells are all of one type, which is most of
// any program. One rule, read from a table, covers all of them, and no branch depends on the operation. On the host the
// shorter walk of check_one_type.h comes first.
#pragma once
#include "lang/check/check_function.h"

namespace komuz {

namespace straight {

struct alignas(16) Rule {
  // Bytes that must be the instruction's type: the popped cells among the three topmost, then the slot's.
  u32 typed = 0;
  TypeSet types = 0;  // none: not straight code
  i8 slot = 0;        // -1 if a is the number of a slot, else a is 0
  i8 constant = 0;    // -1 if b is the number of a constant, else b is 0
  u8 pops = 0, pushes = 0;
  u8 result = 0,
     result_of_type = 0;  // the pushed cell's type: this, and these bits of the instruction's type
  u8 slot_keeps = 0xFF;   // bits of the slot that are kept
};

constexpr Rule rule_of(Op op) {
  const OpRow& row = op_row(op);
  Rule rule{.types = row.types, .pushes = 1, .result_of_type = 0xFF};
  switch (row.form) {
    case OpForm::Const: rule.constant = -1; break;
    case OpForm::Load:
      rule.slot = -1;
      rule.typed = 0xFF00'0000;
      break;
    case OpForm::Store:
      rule.slot = -1;
      rule.typed = 0x7F00'00FF;
      rule.slot_keeps = 0x7F;
      rule.pops = 1;
      rule.pushes = 0;
      break;
    case OpForm::Unary:
    case OpForm::Binary:
    case OpForm::Ternary:
    case OpForm::Compare:
    case OpForm::Order:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::Near:
      rule.pops = static_cast<u8>(operand_count(row.form));
      rule.typed = (1u << 8 * rule.pops) - 1;
      if (const Scalar result = op_form_row(row.form).result; result != Scalar::None) {
        rule.result = static_cast<u8>(result);
        rule.result_of_type = 0;
      }
      break;
    case OpForm::LoadSlots:
    case OpForm::StoreSlots:
    case OpForm::LoadAt:
    case OpForm::StoreAt:
    case OpForm::Ref:
    case OpForm::RefPart:
    case OpForm::LoadRef:
    case OpForm::Project:
    case OpForm::Copy:
    case OpForm::Repeat:
    case OpForm::Consts:
    case OpForm::EqCells:
    case OpForm::Hole:
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
    case OpForm::Ticks:
    case OpForm::Call:
    case OpForm::Return:
    case OpForm::Assert:
    case OpForm::Require:
    case OpForm::TrapNow:
    case OpForm::Shift:
    case OpForm::Convert: return {};
  }
  return rule;
}

// One for each value of a byte, so that the number of an operation need not be checked.
struct Rules {
  Rule row[256];
};
constexpr Rules make_rules() {
  Rules rules{};
  for (u32 op = 0; op < kOpCount; ++op) rules.row[op] = rule_of(static_cast<Op>(op));
  return rules;
}
HD_TABLE Rules kRules = make_rules();

HD constexpr u32 cell_byte(Scalar type) { return static_cast<u8>(type); }
HD constexpr u32 sign_extended(i8 mask) { return static_cast<u32>(i32{mask}); }
inline constexpr TypeSet kWholeCell =
    type_bit(Scalar::I64) | type_bit(Scalar::U64) | type_bit(Scalar::F64);

}  // namespace straight

template <class Storage>
HD_CALL u32 FunctionChecker<Storage>::walk_straight(u32 at, u32 end) {
  using namespace straight;
  const Instruction* next = code_ + at;
  const Instruction* const last = code_ + end;
  Scalar* const cells = cells_;
  Scalar* top = cells + height_;  // behind the topmost cell
  Scalar* highest = cells + max_height_;
  const Scalar* const bottom = cells + base_;
  const Scalar* const limit = cells + most_cells_;
  u8* const slots = slots_.data();
  u16* writes = writes_.data() + writes_count_;
  const u32 last_constant = static_cast<u32>(constants_.size()) - 1,
            last_slot = header_->slots - 1u;
  for (; next != last; ++next) {
    const Instruction i = *next;
    const Rule& rule = kRules.row[static_cast<u8>(i.op)];
    const u32 type = static_cast<u8>(i.type);
    if (type >= kScalarCount || !(rule.types >> type & 1)) break;
    if (i.a >= (last_slot & sign_extended(rule.slot)) + 1) break;
    if (i.b >= (last_constant & sign_extended(rule.constant)) + 1) break;
    const u8 slot = slots[i.a];
    const u32 seen =
        cell_byte(top[-1]) | cell_byte(top[-2]) << 8 | cell_byte(top[-3]) << 16 | u32{slot} << 24;
    if (((seen ^ type * 0x0101'0101) & rule.typed) != 0 || top - bottom < rule.pops) break;
    // Types that do not fill a cell are rare, which a branch predictor learns; it does not learn whether a constant
    // comes next.
    if (!(kWholeCell >> type & 1) && rule.constant != 0 && !is_canonical(constants_[i.b], i.type))
      break;
    Scalar* const below = top - rule.pops;
    if (below + rule.pushes > limit) break;
    *below = static_cast<Scalar>(rule.result | (type & rule.result_of_type));
    top = below + rule.pushes;
    highest = top > highest ? top : highest;
    *writes = i.a;
    writes += (slot & ~rule.slot_keeps) >> 7;
    slots[i.a] = slot & rule.slot_keeps;
  }
  height_ = static_cast<u32>(top - cells);
  max_height_ = static_cast<u32>(highest - cells);
  writes_count_ = static_cast<u32>(writes - writes_.data());
  return static_cast<u32>(next - code_);
}

}  // namespace komuz
