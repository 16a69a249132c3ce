// SPDX-License-Identifier: Apache-2.0
// What operations are as terms is what they are as cells.
#include "neural/proof/terms/bits.h"
#include "neural/proof/terms/pure_terms.h"
//
#include "lang/ops/eval_cells.h"
#include "tests/neural/symbolic_agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

std::string text(Instruction i) {
  return std::string(op_row(i.op).mnemonic) + " " + std::string(scalar_name(i.type)) + " " +
         (i.a != 0 ? std::string(scalar_name(static_cast<Scalar>(i.a))) : "");
}

// The value of an evaluated operation with variables of these values, as a cell that the reference would give.
EvaluatedCell value_of(const neural::Terms& terms, const neural::EvaluatedTerm& made, Scalar type,
                       std::span<const u64> variables) {
  const auto value = [&](neural::Term t) {
    const neural::Term wanted[] = {t};
    return t == neural::kNoTerm ? 0 : neural::term_values(terms, variables, wanted)[0];
  };
  if (value(made.first) != 0) return {0, made.first_trap};
  if (value(made.second) != 0) return {0, made.second_trap};
  return {neural::cell_of_bits(type, value(made.value)), Trap::None};
}

TEST(Terms, OfAnOperationHaveTheValuesOfItsCells) {
  constexpr u32 kTuples = 60;
  for (const Instruction i : all_operations()) {
    SCOPED_TRACE(text(i));
    const u32 operands = operand_count(op_row(i.op).form);
    const Scalar result = result_type(op_row(i.op).form, i.type);
    neural::Terms terms;
    const neural::TermWriter writer(terms);
    std::vector<neural::Term> variables;
    for (u32 k = 0; k < operands; ++k) {
      const Scalar type = operand_type(i, k);
      variables.push_back(terms.variable(neural::cell_bits(type), is_float(type)));
    }
    const neural::EvaluatedTerm general = neural::evaluate(i, variables.data());
    std::vector<EdgeStream> streams;
    for (u32 k = 0; k < operands; ++k) streams.emplace_back(operand_type(i, k), 17 * k + 3);
    for (u32 tuple = 0; tuple < kTuples; ++tuple) {
      u64 cells[3] = {}, bits[3] = {};
      for (u32 k = 0; k < operands; ++k) {
        cells[k] = tuple % 8 == 7 && k > 0 && operand_type(i, k) == operand_type(i, 0)
                       ? cells[0]
                       : streams[k].next();
        bits[k] = bits_of_cell(operand_type(i, k), cells[k]);
      }
      const EvaluatedCell wanted = eval_cells(i, cells);
      ASSERT_EQ(value_of(terms, general, result, {bits, operands}), wanted)
          << std::hex << cells[0] << " " << cells[1] << " " << cells[2] << ": "
          << value_of(terms, general, result, {bits, operands}).value << " is not " << wanted.value;
      // All known, and each but one known.
      for (u32 unknown = 0; unknown <= operands; ++unknown) {
        neural::Term given[3] = {};
        for (u32 k = 0; k < operands; ++k)
          given[k] =
              k == unknown ? variables[k] : neural::cell_term(terms, operand_type(i, k), cells[k]);
        const neural::EvaluatedTerm made = neural::evaluate(i, given);
        ASSERT_EQ(value_of(terms, made, result, {bits, operands}), wanted)
            << "with operand " << unknown << " unknown: " << std::hex << cells[0] << " " << cells[1]
            << " " << cells[2];
        if (unknown == operands) {
          EXPECT_TRUE(terms.is_constant(made.value) || made.first != neural::kNoTerm);
        }
      }
    }
  }
}

TEST(Terms, OfOneOperationAreOneTerm) {
  neural::Terms terms;
  const neural::TermWriter writer(terms);
  const neural::Term x = terms.variable(64, false), y = terms.variable(64, false);
  for (const Op op : {Op::Add, Op::Mul, Op::AddWrap, Op::MulWrap, Op::And, Op::Or, Op::Xor}) {
    const neural::Term ab[] = {x, y}, ba[] = {y, x};
    const auto one = neural::evaluate({op, Scalar::I64, 0, 0}, ab);
    const auto other = neural::evaluate({op, Scalar::I64, 0, 0}, ba);
    EXPECT_EQ(one.value, other.value) << op_row(op).mnemonic;
    EXPECT_EQ(one.first, other.first) << op_row(op).mnemonic;
  }
}

TEST(Terms, OfFloatsCommuteButAreOrdered) {
  neural::Terms terms;
  const neural::TermWriter writer(terms);
  const neural::Term x = terms.variable(64, true), y = terms.variable(64, true);
  const neural::Term ab[] = {x, y}, ba[] = {y, x};
  const auto of = [&](Op op, const neural::Term* operands) {
    return neural::evaluate({op, Scalar::F64, 0, 0}, operands).value;
  };
  EXPECT_EQ(of(Op::Add, ab), of(Op::Add, ba));
  EXPECT_EQ(of(Op::Mul, ab), of(Op::Mul, ba));
  EXPECT_NE(of(Op::Sub, ab), of(Op::Sub, ba));
  const neural::Term minus_y = neural::evaluate({Op::Neg, Scalar::F64, 0, 0}, &y).value;
  const neural::Term negated[] = {x, minus_y}, turned[] = {minus_y, x};
  EXPECT_EQ(of(Op::Sub, negated), of(Op::Add, ab));
  EXPECT_EQ(of(Op::Add, negated), of(Op::Sub, ab));
  EXPECT_EQ(of(Op::Add, turned), of(Op::Sub, ab));
  EXPECT_EQ(neural::evaluate({Op::Neg, Scalar::F64, 0, 0}, &minus_y).value, y);
  EXPECT_NE(of(Op::Div, ab), of(Op::Div, ba));
}

}  // namespace
}  // namespace komuz::test
