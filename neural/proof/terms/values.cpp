// SPDX-License-Identifier: Apache-2.0
// What terms are where their variables are known.
#include "lang/ops/eval_cells.h"
#include "neural/proof/terms/terms.h"

namespace komuz::neural {
namespace {

u64 quotient(TermOp op, u32 width, u64 a, u64 b) {
  if (op == TermOp::DivideUnsigned) return b == 0 ? low_bits(width) : a / b;
  const i64 x = signed_bits(a, width), y = signed_bits(b, width);
  if (y == 0) return x < 0 ? 1 : low_bits(width);
  if (y == -1) return u64{0} - a;
  return static_cast<u64>(x / y);
}

u64 shifted(TermOp op, u32 width, u64 a, u64 b) {
  if (op == TermOp::ShiftRightSigned)
    return static_cast<u64>(signed_bits(a, width) >> (b >= width ? width - 1 : b));
  if (b >= width) return 0;
  return op == TermOp::ShiftLeft ? a << b : a >> b;
}

bool overflows(TermOp op, u32 width, u64 a, u64 b) {
  if (op == TermOp::OverflowsUnsigned) {
    unsigned long long product;
    return __builtin_mul_overflow(static_cast<unsigned long long>(a), b, &product) ||
           product > low_bits(width);
  }
  long long product;
  return __builtin_mul_overflow(static_cast<long long>(signed_bits(a, width)),
                                signed_bits(b, width), &product) ||
         signed_bits(static_cast<u64>(product), width) != product;
}

// The type of argument k of a pure operation.
Scalar argument_type(Instruction i, u32 k) {
  const OpForm form = op_row(i.op).form;
  const bool is_other = form == OpForm::Convert || (form == OpForm::Shift && k == 1);
  return is_other ? static_cast<Scalar>(i.a) : i.type;
}

}  // namespace

u64 term_value(TermOp op, u32 width, u32 operand_width, u64 a, u64 b) {
  const auto raw = [&]() -> u64 {
    switch (op) {
      case TermOp::None:
      case TermOp::Constant:
      case TermOp::Variable:
      case TermOp::Select:
      case TermOp::Function: return 0;
      case TermOp::Not: return ~a;
      case TermOp::And: return a & b;
      case TermOp::Or: return a | b;
      case TermOp::Xor: return a ^ b;
      case TermOp::Add: return a + b;
      case TermOp::Subtract: return a - b;
      case TermOp::Multiply: return a * b;
      case TermOp::DivideUnsigned:
      case TermOp::DivideSigned: return quotient(op, width, a, b);
      case TermOp::ShiftLeft:
      case TermOp::ShiftRight:
      case TermOp::ShiftRightSigned: return shifted(op, width, a, b);
      case TermOp::Equal: return a == b ? 1 : 0;
      case TermOp::LessUnsigned: return a < b ? 1 : 0;
      case TermOp::LessSigned:
        return signed_bits(a, operand_width) < signed_bits(b, operand_width) ? 1 : 0;
      case TermOp::OverflowsUnsigned:
      case TermOp::OverflowsSigned: return overflows(op, operand_width, a, b) ? 1 : 0;
      case TermOp::Truncate:
      case TermOp::ExtendZero: return a;
      case TermOp::ExtendSign: return static_cast<u64>(signed_bits(a, operand_width));
    }
    return 0;
  };
  return raw() & low_bits(width);
}

u64 function_value(const FunctionRow& row, std::span<const u64> arguments) {
  u64 cells[3] = {};
  for (u32 k = 0; k < arguments.size() && k < 3; ++k) {
    const Scalar type = argument_type(row.meaning, k);
    cells[k] = is_signed(type) ? static_cast<u64>(signed_bits(arguments[k], scalar_bits(type)))
                               : arguments[k];
  }
  return eval_cells(row.meaning, cells).value & low_bits(row.width);
}

std::vector<u64> term_values(const Terms& terms, std::span<const u64> variables,
                             std::span<const Term> wanted) {
  // Operands come before what is made of them.
  Term last = 0;
  for (const Term t : wanted) last = t > last ? t : last;
  std::vector<u64> values(size_t{last} + 1);
  std::vector<u64> cells;
  const std::span<const TermRow> rows = terms.rows();
  for (Term t = 1; t <= last; ++t) {
    const TermRow& r = rows[t];
    switch (r.op) {
      case TermOp::Constant: values[t] = r.value; break;
      case TermOp::Variable:
        values[t] = r.number < variables.size() ? variables[r.number] & low_bits(r.width) : 0;
        break;
      case TermOp::Select: values[t] = values[r.a] != 0 ? values[r.b] : values[r.c]; break;
      case TermOp::Function: {
        const FunctionRow& f = terms.functions()[r.number];
        if (!f.has_meaning()) break;
        cells.clear();
        for (const Term x : terms.arguments().subspan(r.a, r.b)) cells.push_back(values[x]);
        values[t] = function_value(f, cells);
        break;
      }
      default:
        values[t] = term_value(r.op, r.width, rows[r.a].width, values[r.a],
                               r.b == kNoTerm ? 0 : values[r.b]);
    }
  }
  std::vector<u64> found;
  for (const Term t : wanted) found.push_back(values[t]);
  return found;
}

}  // namespace komuz::neural
