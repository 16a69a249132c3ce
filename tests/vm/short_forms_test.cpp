// SPDX-License-Identifier: Apache-2.0
// Code that the lowering shortens, always against the reference, on every SIMD level: divisions by constant powers of
// two, comparisons whose result only control tests, ranges whose variable is not read behind the loop.
#include "tests/vm/agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

constexpr Scalar I = Scalar::I64;
constexpr u32 kCases = 200;
// Of a wide tile, and of one whose sets of lanes are one word each.
constexpr u32 kCounts[] = {kCases, 50};

TEST(ShortForms, DivisionByEveryPowerOfTwo) {
  Agreement agreement;
  for (Op op : {Op::Div, Op::Rem, Op::DivFloor, Op::ModFloor, Op::Div0})
    for (Scalar type : {Scalar::I32, Scalar::I64, Scalar::U8, Scalar::U32, Scalar::U64})
      for (u32 places = 0; places < scalar_bits(type); ++places) {
        const u64 divisor = canonical_cell(type, u64{1} << places);
        CodeBuilder straight;
        straight.function("straight", {type}, {type});
        straight.load(0).constant(type, divisor).op(op, type).end_function();
        // Half of the lanes divide, and the quotient's cell is the dividend's.
        CodeBuilder parted;
        parted.function("parted", {type}, {type});
        const u16 x = parted.variable(type);
        parted.load(0).store(x);
        parted.load(x).constant(type, 5).op(Op::Gt, type).if_();
        parted.load(x).constant(type, divisor).op(op, type).store(x).end_if();
        parted.load(x).end_function();
        for (const CodeBuilder* b : {&straight, &parted})
          ASSERT_TRUE(agreement.expect(b->code, {edge_column(type, kCases, places)}))
              << operation_text({op, type, 0, 0}) << " by 2^" << places;
      }
}

// Divisors beside powers of two, and negative ones, keep to the long way.
TEST(ShortForms, DivisionByOtherConstants) {
  Agreement agreement;
  for (Scalar type : {Scalar::I32, Scalar::I64, Scalar::U8, Scalar::U32, Scalar::U64})
    for (u64 divisor : edges(type))
      for (Op op : {Op::Div, Op::Rem, Op::ModFloor}) {
        CodeBuilder b;
        b.function("quotient", {type}, {type});
        b.load(0).constant(type, divisor).op(op, type).end_function();
        ASSERT_TRUE(agreement.expect(b.code, {edge_column(type, kCases, 3)}))
            << operation_text({op, type, 0, 0}) << " by " << divisor;
      }
}

TEST(ShortForms, ComparisonsPartTheLanes) {
  Agreement agreement;
  for (Instruction i : all_operations()) {
    if (op_row(i.op).form != OpForm::Compare) continue;
    CodeBuilder b;
    b.function("parts", {i.type, i.type}, {I});
    const u16 sum = b.variable(I);
    b.i64_constant(0).store(sum);
    b.load(0).load(1).op(i.op, i.type).if_().i64_constant(1).store(sum).end_if();
    b.load(0).constant(i.type, edges(i.type)[1]).op(i.op, i.type).if_();
    b.load(sum).i64_constant(2).op(Op::Add).else_(1).load(sum).i64_constant(4).op(Op::Add);
    b.end_if().store(sum);
    b.loop().tick().load(1).load(0).op(i.op, i.type).break_if_false();
    b.load(sum).i64_constant(8).op(Op::Add).store(sum).break_().end_loop();
    b.load(sum).end_function();
    for (const u32 count : kCounts) {
      std::vector<u64> left = edge_column(i.type, count, 1), right = edge_column(i.type, count, 2);
      right[3] = left[3];
      // The last edge of a float is a NaN.
      left[4] = right[5] = left[6] = right[6] = edges(i.type).back();
      ASSERT_TRUE(agreement.expect(b.code, {left, right}))
          << operation_text(i) << ", " << count << " cases";
    }
  }
}

// The result of the comparison has two uses, or values of slots are copied between it and its test.
TEST(ShortForms, ComparisonsWithOtherUses) {
  Agreement agreement;
  CodeBuilder b;
  b.function("uses", {I, I}, {I, Scalar::Bool});
  const u16 test = b.variable(Scalar::Bool);
  b.load(0).load(1).op(Op::Lt).store(test);
  b.load(0);  // on the stack, as a slot, while the lanes part
  b.load(0).load(1).op(Op::Gt).if_().i64_constant(7).store(0).end_if();
  b.load(1).load(0).op(Op::Ge).copy(Scalar::Bool, 0).if_().i64_constant(9).store(1).end_if();
  b.store(test).load(0).op(Op::SubWrap).load(1).op(Op::AddWrap).load(test).end_function();
  ASSERT_TRUE(agreement.expect(b.code, {edge_column(I, kCases, 1), edge_column(I, kCases, 2)}));
}

// What is computed last in an arm, on the right of && and before a return is written where control brings it
// together, there over other lanes' results; that of a function over an argument which it may be made of.
TEST(ShortForms, ResultsAreWrittenWhereTheyAreNeeded) {
  Agreement agreement;
  for (Scalar type : kScalars) {
    const Op combine = type == Scalar::Bool ? Op::Xor : is_float(type) ? Op::Add : Op::AddWrap;
    CodeBuilder b;
    b.function("over_an_argument", {type, type}, {type});
    b.load(1).load(0).op(combine, type).end_function();
    b.function("early", {type, type}, {type});
    b.load(0).load(1).op(Op::Eq, type).if_();
    b.load(1).load(1).op(combine, type).emit(Op::Return).end_if();
    b.load(0).load(0).load(1).op(combine, type).op(combine, type).end_function();
    b.function("arms", {type, type}, {type, type, Scalar::Bool});
    b.load(0);  // below the arms
    b.load(0).load(1).op(Op::Ne, type).if_();
    b.load(0).load(1).op(combine, type).else_(1);
    b.load(1).load(0).load(0).op(combine, type).op(combine, type).end_if();
    b.load(1).call(0).load(0).load(1).call(1).op(combine, type);
    b.load(0).load(1).op(Op::Ne, type).and_then();
    b.load(1).load(0).load(1).call(1).op(Op::Eq, type).end_lazy().end_function();
    for (const u32 count : kCounts)
      for (const u32 function : {0, 1, 2})
        ASSERT_TRUE(agreement.expect(
            b.code, {edge_column(type, count, 1), edge_column(type, count, 2)}, function))
            << scalar_name(type) << ", function " << function << ", " << count << " cases";
  }
}

// Ranges at the ends of every type. `reads_behind`: the variable's value is used behind the loop too, by lanes that
// left it at different times.
TEST(ShortForms, RangesAtTheEndsOfTheirType) {
  Agreement agreement;
  for (Scalar type : {Scalar::I32, Scalar::I64, Scalar::U8, Scalar::U32, Scalar::U64})
    for (const bool inclusive : {false, true})
      for (const bool reads_behind : {false, true}) {
        CodeBuilder b;
        b.function("range", {type, type}, {type, I});
        const u16 next = b.variable(type);
        b.variable(type);
        const u16 x = b.variable(type), sum = b.variable(type), steps = b.variable(I);
        b.constant(type, 0).store(sum).i64_constant(0).store(steps);
        if (reads_behind) b.constant(type, 3).store(x);
        b.load(0).store(next).load(1).store(u16(next + 1));
        b.loop().for_next(next, inclusive).tick();
        b.load(sum).load(x).op(Op::Xor, type).store(sum);
        b.load(steps).i64_constant(1).op(Op::Add).store(steps);
        b.end_loop();
        b.load(sum);
        if (reads_behind) b.load(x).op(Op::AddWrap, type);
        b.load(steps).end_function();
        Random random(9);
        std::vector<u64> from, to;
        for (u32 row = 0; row < kCases; ++row) {
          // The largest value, or the one behind it, which is the smallest.
          const u64 near =
              (~u64{0} >> (64 - scalar_bits(type) + is_signed(type))) + random.below(2);
          from.push_back(canonical_cell(type, near - random.below(9)));
          to.push_back(canonical_cell(type, near - random.below(3)));
        }
        for (const u32 count : kCounts) {
          from.resize(count);
          to.resize(count);
          ASSERT_TRUE(agreement.expect(b.code, {from, to}, 0, 1, 40))
              << scalar_name(type) << ", " << count << " cases";
        }
      }
}

}  // namespace
}  // namespace komuz::test
