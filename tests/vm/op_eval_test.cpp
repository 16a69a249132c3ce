// SPDX-License-Identifier: Apache-2.0
// Every pure operation at every type against the oracle: all combinations of edge values, then a stream of mixed ones.
#include <gtest/gtest.h>

#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"
#include "tests/vm/op_oracle.h"

namespace komuz::test {
namespace {

EvaluatedCell evaluate(Instruction i, const u64* operands) { return eval_cells(i, operands); }

// Says what differs; true where nothing does.
bool agrees(Instruction i, const u64 (&x)[3]) {
  const EvaluatedCell actual = evaluate(i, x);
  const OracleAnswer expected = ask_oracle(i, x);
  // The cells of floats of one sign are in their order.
  const u64 steps =
      actual.value > expected.value ? actual.value - expected.value : expected.value - actual.value;
  if (steps <= expected.steps && actual.trap == expected.trap) return true;
  ADD_FAILURE() << operation_text(i) << std::hex << " of 0x" << x[0] << " 0x" << x[1] << " 0x"
                << x[2] << ": 0x" << actual.value << ' ' << trap_name(actual.trap) << ", not 0x"
                << expected.value << ' ' << trap_name(expected.trap);
  return false;
}

TEST(OpEval, TableHasAllOperations) {
  // If a form or a type were dropped on the way, the tests below would pass without it.
  u32 pure = 0;
  for (u32 op = 0; op < kOpCount; ++op) pure += is_pure_form(op_row(static_cast<Op>(op)).form);
  EXPECT_EQ(pure, kOpCount - static_cast<u32>(Op::Add));
  EXPECT_GT(all_operations().size(), 5 * pure);
}

TEST(OpEval, EdgeValuesAgreeWithOracle) {
  for (Instruction i : all_operations()) {
    const u32 operands = operand_count(op_row(i.op).form);
    const std::vector<u64> none = {0};
    const std::vector<u64> first = edges(operand_type(i, 0));
    const std::vector<u64> second = operands > 1 ? edges(operand_type(i, 1)) : none;
    const std::vector<u64> third = operands > 2 ? edges(operand_type(i, 2)) : none;
    bool same = true;
    for (u64 a : first)
      for (u64 b : second)
        for (u64 c : third) same = same && agrees(i, {a, b, c});
  }
}

TEST(OpEval, MixedValuesAgreeWithOracle) {
  for (Instruction i : all_operations()) {
    EdgeStream a(operand_type(i, 0), 1), b(operand_type(i, 1), 2), c(operand_type(i, 2), 3);
    bool same = true;
    for (u32 round = 0; same && round < 20'000; ++round)
      same = agrees(i, {a.next(), b.next(), c.next()});
  }
}

TEST(OpEval, BytesExhaustively) {
  for (Instruction i : all_operations()) {
    if (i.type != Scalar::U8 || operand_count(op_row(i.op).form) > 2) continue;
    if (operand_type(i, 0) != Scalar::U8 || operand_type(i, 1) != Scalar::U8) continue;
    bool same = true;
    for (u64 a = 0; a < 256; ++a)
      for (u64 b = 0; b < 256; ++b) same = same && agrees(i, {a, b, 0});
  }
}

// Rules of language.md §4 and §10, one by one, so that the oracle cannot share a misreading.
TEST(OpEval, RulesOfTheLanguage) {
  const auto of = [](Op op, Scalar type, u64 a, u64 b = 0, u64 c = 0, Scalar other = Scalar::None) {
    const u64 x[3] = {a, b, c};
    return evaluate({op, type, static_cast<u16>(other), 0}, x);
  };
  const auto f = [](f64 x) { return cell_of_value(x); };
  const auto n = [](i64 x) { return static_cast<u64>(x); };
  const auto trap = [](Trap t) { return EvaluatedCell{0, t}; };
  const i64 min = std::numeric_limits<i64>::min();
  const f64 inf = std::numeric_limits<f64>::infinity(), nan = std::numeric_limits<f64>::quiet_NaN();

  EXPECT_EQ(of(Op::Rem, Scalar::I64, n(min), n(-1)), (EvaluatedCell{0, Trap::None}));
  EXPECT_EQ(of(Op::Div, Scalar::I64, n(min), n(-1)), trap(Trap::Overflow));
  EXPECT_EQ(of(Op::Div, Scalar::I64, n(min), n(0)), trap(Trap::DivZero));
  EXPECT_EQ(of(Op::Div0, Scalar::I64, n(min), n(-1)).value, n(min));
  EXPECT_EQ(of(Op::DivFloor, Scalar::I64, n(-7), n(2)).value, n(-4));
  EXPECT_EQ(of(Op::ModFloor, Scalar::I64, n(-7), n(2)).value, n(1));
  EXPECT_EQ(of(Op::Pow, Scalar::I64, n(0), n(0)).value, 1u);
  EXPECT_EQ(of(Op::Pow, Scalar::I64, n(-2), n(63)).value, n(min));
  EXPECT_EQ(of(Op::Pow, Scalar::I64, n(2), n(63)), trap(Trap::Overflow));
  EXPECT_EQ(of(Op::Pow, Scalar::I64, n(2), n(-1)), trap(Trap::Range));
  EXPECT_EQ(of(Op::Pow, Scalar::I64, n(-1), n(std::numeric_limits<i64>::max())).value, n(-1));
  EXPECT_EQ(of(Op::Shl, Scalar::I64, n(1), n(64), 0, Scalar::I64).value, 0u);
  EXPECT_EQ(of(Op::Shr, Scalar::I64, n(-1), n(99), 0, Scalar::U8).value, n(-1));
  EXPECT_EQ(of(Op::Shl, Scalar::I64, n(1), n(-1), 0, Scalar::I32), trap(Trap::Range));
  EXPECT_EQ(of(Op::Min, Scalar::F64, f(0.0), f(-0.0)).value, f(-0.0));
  EXPECT_EQ(of(Op::Max, Scalar::F64, f(-0.0), f(0.0)).value, f(0.0));
  EXPECT_EQ(of(Op::Max, Scalar::F64, f(nan), f(1.0)).value, f(1.0));
  EXPECT_EQ(of(Op::Clamp, Scalar::F64, f(1.0), f(2.0), f(1.0)), trap(Trap::Range));
  EXPECT_EQ(of(Op::Clamp, Scalar::F64, f(1.0), f(nan), f(1.0)), trap(Trap::Range));
  EXPECT_EQ(of(Op::Clamp, Scalar::F64, f(nan), f(0.0), f(1.0)).value, f(nan));
  EXPECT_EQ(of(Op::Div0, Scalar::F64, f(-3.0), f(-0.0)).value, f(0.0));
  EXPECT_EQ(of(Op::Sqrt0, Scalar::F64, f(-4.0)).value, f(0.0));
  EXPECT_EQ(of(Op::Sqrt0, Scalar::F64, f(-0.0)).value, f(-0.0));
  EXPECT_EQ(of(Op::Aq, Scalar::F64, f(3.0), f(-0.0)).value, f(3.0));
  EXPECT_EQ(of(Op::Aq, Scalar::F64, f(-5.0), f(2.0)).value, f(-2.23606797749979));
  EXPECT_EQ(of(Op::Aq, Scalar::F64, f(1e300), f(-1e155)).value, f(0.0));
  EXPECT_EQ(of(Op::Aq, Scalar::F64, f(-1.0), f(inf)).value, f(-0.0));
  EXPECT_EQ(of(Op::Aq, Scalar::F64, f(-inf), f(3.0)).value, f(-inf));
  EXPECT_EQ(of(Op::Aq, Scalar::F64, f(inf), f(1e155)).value, f(nan));
  EXPECT_EQ(of(Op::Aq, Scalar::F64, f(0.0), f(nan)).value, f(nan));
  EXPECT_EQ(of(Op::Aq, Scalar::F64, f(nan), f(0.0)).value, f(nan));
  EXPECT_EQ(of(Op::Round, Scalar::F64, f(2.5)).value, f(2.0));
  EXPECT_EQ(of(Op::Round, Scalar::F64, f(-0.4)).value, f(-0.0));
  EXPECT_EQ(of(Op::Cmp, Scalar::F64, f(-0.0), f(0.0)).value, n(-1));
  EXPECT_EQ(of(Op::Cmp, Scalar::F64, f(nan), f(inf)).value, 1u);
  EXPECT_EQ(of(Op::Cmp, Scalar::F64, f(nan), f(nan)).value, 0u);
  EXPECT_EQ(of(Op::Near, Scalar::F64, f(inf), f(inf), f(1.0)).value, 0u);
  EXPECT_EQ(of(Op::Convert, Scalar::I64, f(nan), 0, 0, Scalar::F64).value, 0u);
  EXPECT_EQ(of(Op::Convert, Scalar::I64, f(-inf), 0, 0, Scalar::F64).value, n(min));
  EXPECT_EQ(of(Op::Convert, Scalar::U8, f(-3.5), 0, 0, Scalar::F64).value, 0u);
  EXPECT_EQ(of(Op::Convert, Scalar::U8, n(256), 0, 0, Scalar::I64), trap(Trap::Range));
  EXPECT_EQ(of(Op::Convert, Scalar::I64, 1, 0, 0, Scalar::Bool).value, 1u);
  EXPECT_EQ(of(Op::Bits, Scalar::U64, 0xFFF0'0000'0000'0001u, 0, 0, Scalar::F64).value,
            kCanonicalNan64);
  EXPECT_EQ(of(Op::Not, Scalar::Bool, 1).value, 0u);
  EXPECT_EQ(of(Op::Not, Scalar::U8, 1).value, 254u);
}

}  // namespace
}  // namespace komuz::test
