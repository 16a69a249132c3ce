// SPDX-License-Identifier: Apache-2.0
// Every pure operation at every type that it takes, as instructions, from the table.
#pragma once
#include <string>
#include <vector>

#include "lang/ops/eval_cells.h"

namespace komuz::test {

inline constexpr Scalar kScalars[] = {Scalar::Bool, Scalar::I32, Scalar::I64, Scalar::U8,
                                      Scalar::U32,  Scalar::U64, Scalar::F32, Scalar::F64};

// The types that the field `a` of a shift or a conversion may name.
inline std::vector<Scalar> other_types(Op op, Scalar type) {
  std::vector<Scalar> found;
  for (Scalar other : kScalars) {
    const bool same_width = scalar_bytes(other) == scalar_bytes(type);
    bool fits = false;
    if (op == Op::Convert)
      fits = true;
    else if (op == Op::Exact)
      fits = other != Scalar::Bool;
    else if (op == Op::Bits)
      fits = is_float(other) && same_width;
    else if (op == Op::FromBits)
      fits = scalar_class(other) == ScalarClass::Unsigned && same_width;
    else
      fits = is_integer(other);  // WRAP and the shifts
    if (fits) found.push_back(other);
  }
  return found;
}

inline std::vector<Instruction> all_operations() {
  std::vector<Instruction> found;
  for (u32 number = 0; number < kOpCount; ++number) {
    const Op op = static_cast<Op>(number);
    const OpRow& row = op_row(op);
    if (!is_pure_form(row.form)) continue;
    for (Scalar type : kScalars) {
      if ((row.types & type_bit(type)) == 0) continue;
      if (row.form != OpForm::Shift && row.form != OpForm::Convert) {
        found.push_back({op, type, 0, 0});
        continue;
      }
      for (Scalar other : other_types(op, type))
        found.push_back({op, type, static_cast<u16>(other), 0});
    }
  }
  return found;
}

// The type of the n-th operand, the deepest first.
inline Scalar operand_type(Instruction i, u32 n) {
  const OpForm form = op_row(i.op).form;
  const bool is_other = form == OpForm::Convert || (form == OpForm::Shift && n == 1);
  return is_other ? static_cast<Scalar>(i.a) : i.type;
}

inline std::vector<Scalar> operand_types(Instruction i) {
  std::vector<Scalar> types;
  for (u32 n = 0; n < operand_count(op_row(i.op).form); ++n) types.push_back(operand_type(i, n));
  return types;
}

inline Scalar result_type(Instruction i) { return result_type(op_row(i.op).form, i.type); }

inline std::string operation_text(Instruction i) {
  std::string text(op_row(i.op).mnemonic);
  text += ' ';
  text += scalar_name(i.type);
  if (i.a != 0) text += ", " + std::string(scalar_name(static_cast<Scalar>(i.a)));
  return text;
}

}  // namespace komuz::test
