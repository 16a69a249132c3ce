// SPDX-License-Identifier: Apache-2.0
// The operations as an enumeration, with a row for each. op_eval.h defines what an operation means.
#pragma once
#include <string_view>

#include "lang/traps.h"
#include "lang/types.h"

namespace komuz {

enum class Op : u8 {
#define OP(Name, mnemonic, form, types, traps, meaning) Name,
#include "lang/ops.def"
};
inline constexpr u32 kOpCount = 0
#define OP(Name, mnemonic, form, types, traps, meaning) +1
#include "lang/ops.def"
    ;

// What an operation pops and pushes, and what its fields hold; see op_forms.def.
enum class OpForm : u8 {
#define FORM(Name, operands, result, stack) Name,
#include "lang/op_forms.def"
};
inline constexpr u32 kOpFormCount = 0
#define FORM(Name, operands, result, stack) +1
#include "lang/op_forms.def"
    ;

struct OpFormRow {
  u8 operands;
  Scalar result;
  std::string_view stack;
};
namespace op_form_rows {
HD_TABLE OpFormRow kRows[kOpFormCount] = {
#define FORM(Name, operands, result, stack) {operands, Scalar::result, stack},
#include "lang/op_forms.def"
};
}  // namespace op_form_rows
[[nodiscard]] HD constexpr const OpFormRow& op_form_row(OpForm form) {
  return op_form_rows::kRows[static_cast<u8>(form)];
}

struct OpRow {
  std::string_view mnemonic;
  OpForm form;
  TypeSet types;
  u16 traps;  // bit t: it may end in trap t
  std::string_view meaning;
};
namespace op_rows {
using namespace type_set;
constexpr u16 trap_bit(Trap t) { return static_cast<u16>(1u << static_cast<u8>(t)); }

#define T(Name) trap_bit(Trap::Name)
HD_TABLE OpRow kRows[kOpCount + 1] = {
#define OP(Name, mnemonic, form, types, traps, meaning) \
  {mnemonic, OpForm::form, types, static_cast<u16>(traps), meaning},
#include "lang/ops.def"
    {"?", OpForm::Plain, kNone, 0, "no operation"}};
#undef T
}  // namespace op_rows
// The last row for a value that is no operation.
[[nodiscard]] HD constexpr const OpRow& op_row(Op op) {
  const u32 number = static_cast<u8>(op);
  return op_rows::kRows[number < kOpCount ? number : kOpCount];
}

// True for operations that only compute a value from the cells they pop: those of op_eval.h.
HD constexpr bool is_pure_form(OpForm f) { return f >= OpForm::Unary; }

// True for the functions of lang/ops/math/.
HD constexpr bool is_mathematical(Op op) {
#define OP(Name, mnemonic, form, types, traps, meaning)
#define MATH(Name, mnemonic, form, types, traps, meaning) op == Op::Name ||
  return
#include "lang/ops.def"
      false;
}

// True if a pure operation may trap for this type. Arithmetic on floats never does.
HD constexpr bool may_trap(Op op, Scalar type) {
  const OpRow& row = op_row(op);
  const bool arithmetic = row.form == OpForm::Unary || row.form == OpForm::Binary;
  return row.traps != 0 && !(arithmetic && is_float(type));
}
// The number of cells that a pure operation pops.
HD constexpr u32 operand_count(OpForm form) { return op_form_row(form).operands; }
// The type of the cell that a pure operation pushes, by its field `type`.
HD constexpr Scalar result_type(OpForm form, Scalar type) {
  const Scalar result = op_form_row(form).result;
  return result == Scalar::None ? type : result;
}

static_assert(static_cast<u8>(Op::Rand) + 1 == kOpCount);

}  // namespace komuz
