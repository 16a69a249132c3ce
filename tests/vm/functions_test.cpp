// SPDX-License-Identifier: Apache-2.0
// The mathematical functions: their errors against 180 bits of precision, the special cases of C99 by
// a table, and their bits.
// KOMUZ_SAMPLES=n takes n samples of each function and type; bench/math_errors.cpp tries all f32.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <ostream>

#include "lang/ops/math/functions.h"
#include "tests/vm/edge_values.h"
#include "tests/vm/function_errors.h"

namespace komuz::test {
namespace {

constexpr f64 kInf = std::numeric_limits<f64>::infinity();
constexpr f64 kNan = std::numeric_limits<f64>::quiet_NaN();

EvaluatedCell evaluate(Instruction i, const u64* operands) { return eval_cells(i, operands); }

template <class F>
F call(Op op, F x, F y = 0) {
  const u64 cells[3] = {cell_of_value(x), cell_of_value(y), 0};
  constexpr Scalar type = sizeof(F) == 4 ? Scalar::F32 : Scalar::F64;
  return value_of_cell<F>(evaluate({op, type, 0, 0}, cells).value);
}

u64 wanted_samples() {
  const char* const wanted = std::getenv("KOMUZ_SAMPLES");
  return wanted == nullptr ? 20'000 : std::strtoull(wanted, nullptr, 10);
}

class Functions : public testing::TestWithParam<Op> {
 protected:
  void expect_small_errors(Scalar type, f64 limit, f64 subnormal_limit) {
    const FunctionErrors errors = measure_errors(GetParam(), type, wanted_samples(), 11);
    EXPECT_LE(errors.normal.units, limit)
        << std::hexfloat << "of " << errors.normal.x << ", " << errors.normal.y;
    EXPECT_LE(errors.subnormal.units, subnormal_limit)
        << std::hexfloat << "of " << errors.subnormal.x << ", " << errors.subnormal.y;
    // The samples show errors at all, unless there are none.
    if (GetParam() != Op::Fmod) {
      EXPECT_GT(errors.normal.units, 0.49);
    }
  }
};

TEST_P(Functions, ErrorBelowOneUnit64) { expect_small_errors(Scalar::F64, 0.9, 0.8); }
TEST_P(Functions, ErrorBelowOneUnit32) { expect_small_errors(Scalar::F32, 0.9, 0.8); }

INSTANTIATE_TEST_SUITE_P(All, Functions, testing::ValuesIn(exact_functions()),
                         [](const testing::TestParamInfo<Op>& parameter) {
                           return std::string(function_name(parameter.param));
                         });

struct SpecialCase {
  Op op;
  f64 x, expected;
};
// C99, F.9. The results are the same for f32.
constexpr SpecialCase kSpecialCases[] = {
    {Op::Exp, 0.0, 1.0},
    {Op::Exp, -0.0, 1.0},
    {Op::Exp, kInf, kInf},
    {Op::Exp, -kInf, 0.0},
    {Op::Exp, 1e30, kInf},
    {Op::Exp, -1e30, 0.0},
    {Op::Exp, 1e-30, 1.0},
    {Op::Exp2, 0.0, 1.0},
    {Op::Exp2, kInf, kInf},
    {Op::Exp2, -kInf, 0.0},
    {Op::Exp2, 10.0, 1024.0},
    {Op::Exp2, -126.0, 0x1p-126},
    {Op::Exp2, 1e30, kInf},
    {Op::Exp2, -1e30, 0.0},
    {Op::Log, 0.0, -kInf},
    {Op::Log, -0.0, -kInf},
    {Op::Log, 1.0, 0.0},
    {Op::Log, -1.0, kNan},
    {Op::Log, -kInf, kNan},
    {Op::Log, kInf, kInf},
    {Op::Log2, 0.0, -kInf},
    {Op::Log2, -0.0, -kInf},
    {Op::Log2, 1.0, 0.0},
    {Op::Log2, 1024.0, 10.0},
    {Op::Log2, 0x1p-149, -149.0},
    {Op::Log2, -1.0, kNan},
    {Op::Log2, kInf, kInf},
    {Op::Log10, 0.0, -kInf},
    {Op::Log10, -0.0, -kInf},
    {Op::Log10, 1.0, 0.0},
    {Op::Log10, 1e10, 10.0},
    {Op::Log10, -1.0, kNan},
    {Op::Log10, kInf, kInf},
    {Op::Log0, 0.0, 0.0},
    {Op::Log0, -0.0, 0.0},
    {Op::Log0, -1.0, 0.0},
    {Op::Log0, -kInf, 0.0},
    {Op::Log0, 1.0, 0.0},
    {Op::Log0, kInf, kInf},
    {Op::Sin, 0.0, 0.0},
    {Op::Sin, -0.0, -0.0},
    {Op::Sin, kInf, kNan},
    {Op::Sin, -kInf, kNan},
    {Op::Cos, 0.0, 1.0},
    {Op::Cos, -0.0, 1.0},
    {Op::Cos, kInf, kNan},
    {Op::Cos, -kInf, kNan},
    {Op::Tan, 0.0, 0.0},
    {Op::Tan, -0.0, -0.0},
    {Op::Tan, kInf, kNan},
    {Op::Tan, -kInf, kNan},
    {Op::Asin, 0.0, 0.0},
    {Op::Asin, -0.0, -0.0},
    {Op::Asin, 1.0, 0x1.921fb54442d18p+0},
    {Op::Asin, -1.0, -0x1.921fb54442d18p+0},
    {Op::Asin, 1.5, kNan},
    {Op::Asin, -kInf, kNan},
    {Op::Acos, 1.0, 0.0},
    {Op::Acos, 0.0, 0x1.921fb54442d18p+0},
    {Op::Acos, -0.0, 0x1.921fb54442d18p+0},
    {Op::Acos, -1.0, 0x1.921fb54442d18p+1},
    {Op::Acos, 1.5, kNan},
    {Op::Acos, kInf, kNan},
    {Op::Atan, 0.0, 0.0},
    {Op::Atan, -0.0, -0.0},
    {Op::Atan, kInf, 0x1.921fb54442d18p+0},
    {Op::Atan, -kInf, -0x1.921fb54442d18p+0},
    {Op::Atan, 1.0, 0x1.921fb54442d18p-1},
    {Op::Sinh, 0.0, 0.0},
    {Op::Sinh, -0.0, -0.0},
    {Op::Sinh, kInf, kInf},
    {Op::Sinh, -kInf, -kInf},
    {Op::Sinh, -1e30, -kInf},
    {Op::Cosh, 0.0, 1.0},
    {Op::Cosh, -0.0, 1.0},
    {Op::Cosh, kInf, kInf},
    {Op::Cosh, -kInf, kInf},
    {Op::Cosh, -1e30, kInf},
    {Op::Tanh, 0.0, 0.0},
    {Op::Tanh, -0.0, -0.0},
    {Op::Tanh, kInf, 1.0},
    {Op::Tanh, -kInf, -1.0},
    {Op::Tanh, -25.0, -1.0},
    {Op::Cbrt, 0.0, 0.0},
    {Op::Cbrt, -0.0, -0.0},
    {Op::Cbrt, kInf, kInf},
    {Op::Cbrt, -kInf, -kInf},
    {Op::Cbrt, -27.0, -3.0},
    {Op::Cbrt, 0x1p-147, 0x1p-49},
    {Op::Erf, 0.0, 0.0},
    {Op::Erf, -0.0, -0.0},
    {Op::Erf, kInf, 1.0},
    {Op::Erf, -kInf, -1.0},
    {Op::Erf, -7.0, -1.0},
};

struct SpecialPair {
  Op op;
  f64 x, y, expected;
};
constexpr f64 kHalfPi = 0x1.921fb54442d18p+0, kPi = 0x1.921fb54442d18p+1;
constexpr SpecialPair kSpecialPairs[] = {
    {Op::Atan2, 0.0, 1.0, 0.0},
    {Op::Atan2, -0.0, 1.0, -0.0},
    {Op::Atan2, 0.0, 0.0, 0.0},
    {Op::Atan2, -0.0, 0.0, -0.0},
    {Op::Atan2, 0.0, -0.0, kPi},
    {Op::Atan2, -0.0, -0.0, -kPi},
    {Op::Atan2, 0.0, -1.0, kPi},
    {Op::Atan2, -0.0, -1.0, -kPi},
    {Op::Atan2, 1.0, 0.0, kHalfPi},
    {Op::Atan2, -1.0, 0.0, -kHalfPi},
    {Op::Atan2, 1.0, -0.0, kHalfPi},
    {Op::Atan2, 1.0, -kInf, kPi},
    {Op::Atan2, -1.0, -kInf, -kPi},
    {Op::Atan2, 1.0, kInf, 0.0},
    {Op::Atan2, -1.0, kInf, -0.0},
    {Op::Atan2, kInf, 1.0, kHalfPi},
    {Op::Atan2, -kInf, -1.0, -kHalfPi},
    {Op::Atan2, kInf, kInf, kHalfPi / 2},
    {Op::Atan2, -kInf, kInf, -kHalfPi / 2},
    {Op::Atan2, kInf, -kInf, 0x1.2d97c7f3321d2p+1},
    {Op::Atan2, -kInf, -kInf, -0x1.2d97c7f3321d2p+1},
    {Op::Atan2, kNan, kInf, kNan},
    {Op::Atan2, 0.0, kNan, kNan},
    {Op::Hypot, 3.0, -4.0, 5.0},
    {Op::Hypot, 0.0, -0.0, 0.0},
    {Op::Hypot, -0.0, -2.5, 2.5},
    {Op::Hypot, kInf, kNan, kInf},
    {Op::Hypot, kNan, -kInf, kInf},
    {Op::Hypot, kNan, 1.0, kNan},
    {Op::Fmod, 7.5, 2.0, 1.5},
    {Op::Fmod, -7.5, 2.0, -1.5},
    {Op::Fmod, 7.5, -2.0, 1.5},
    {Op::Fmod, -8.0, 2.0, -0.0},
    {Op::Fmod, 0.0, 3.0, 0.0},
    {Op::Fmod, -0.0, 3.0, -0.0},
    {Op::Fmod, 1.0, 0.0, kNan},
    {Op::Fmod, kInf, 3.0, kNan},
    {Op::Fmod, 3.0, kInf, 3.0},
    {Op::Fmod, -3.0, -kInf, -3.0},
    {Op::Fmod, kNan, 1.0, kNan},
    {Op::Fmod, 1.0, kNan, kNan},
    {Op::Fmod, 0x1p127, 3.0, 2.0},
};

template <class F>
void expect_special_cases() {
  for (const SpecialCase& special : kSpecialCases) {
    const F x = static_cast<F>(special.x);
    EXPECT_EQ(cell_of_value(call(special.op, x)), cell_of_value(static_cast<F>(special.expected)))
        << op_row(special.op).mnemonic << " of " << x << " is " << call(special.op, x);
  }
  for (const SpecialPair& special : kSpecialPairs) {
    const F x = static_cast<F>(special.x), y = static_cast<F>(special.y);
    EXPECT_EQ(cell_of_value(call(special.op, x, y)),
              cell_of_value(static_cast<F>(special.expected)))
        << op_row(special.op).mnemonic << " of " << x << ", " << y << " is "
        << call(special.op, x, y);
  }
  for (Op op : exact_functions()) {
    if (op == Op::Pow) continue;  // pow_test.cpp
    EXPECT_TRUE(std::isnan(call(op, static_cast<F>(kNan)))) << function_name(op);
  }
  EXPECT_TRUE(std::isnan(call(Op::Log0, static_cast<F>(kNan))));
}
TEST(FunctionCases, Special64) { expect_special_cases<f64>(); }
TEST(FunctionCases, Special32) { expect_special_cases<f32>(); }

TEST(FunctionCases, EndsOfTheRange) {
  const f64 largest = std::numeric_limits<f64>::max(), smallest = 0x1p-1074;
  EXPECT_EQ(call(Op::Exp, 0x1.62e42fefa39efp+9), 0x1.fffffffffff2ap+1023);
  EXPECT_EQ(call(Op::Exp, 0x1.62e42fefa39f0p+9), kInf);
  EXPECT_EQ(call(Op::Exp, -0x1.74385446d71c3p+9), smallest);
  EXPECT_EQ(call(Op::Exp, -0x1.74910d52d3053p+9), 0.0);
  EXPECT_EQ(call(Op::Exp2, -1074.0), smallest);
  EXPECT_EQ(call(Op::Exp2, -1075.0), 0.0);
  EXPECT_EQ(call(Op::Exp2, 1024.0), kInf);
  EXPECT_EQ(call(Op::Log2, smallest), -1074.0);
  EXPECT_EQ(call(Op::Log, largest), 0x1.62e42fefa39efp+9);
  for (Op op : {Op::Sin, Op::Tan, Op::Asin, Op::Atan, Op::Sinh, Op::Tanh}) {
    EXPECT_EQ(call(op, smallest), smallest) << function_name(op);
    EXPECT_EQ(call(op, -0x1.8p-1030), -0x1.8p-1030) << function_name(op);
    EXPECT_EQ(call(op, 0x1p-149f), 0x1p-149f) << function_name(op);
    EXPECT_EQ(call(op, -0x1.8p-130f), -0x1.8p-130f) << function_name(op);
  }
  EXPECT_EQ(call(Op::Cbrt, 0x1p-1074), 0x1p-358);
  EXPECT_EQ(call(Op::Hypot, largest, 0.0), largest);
  EXPECT_EQ(call(Op::Hypot, largest, largest), kInf);
  EXPECT_EQ(call(Op::Hypot, smallest, 0.0), smallest);
  EXPECT_EQ(call(Op::Atan2, smallest, largest), 0.0);
  EXPECT_EQ(call(Op::Atan2, smallest, 1.0), smallest);
  EXPECT_EQ(call(Op::Atan2, largest, smallest), kHalfPi);
  EXPECT_EQ(call(Op::Fmod, largest, 3 * smallest), 2 * smallest);
  EXPECT_EQ(call(Op::Exp, 0x1.62e42ep+6f), 0x1.ffff08p+127f);
  EXPECT_EQ(call(Op::Exp, 0x1.62e430p+6f), std::numeric_limits<f32>::infinity());
  EXPECT_EQ(call(Op::Exp2, -149.0f), 0x1p-149f);
  EXPECT_EQ(call(Op::Exp2, -150.0f), 0.0f);
}

TEST(FunctionCases, EndsOfTheRange32) {
  const f32 infinity = std::numeric_limits<f32>::infinity();
  const f32 largest = std::numeric_limits<f32>::max(), smallest = 0x1p-149f;
  EXPECT_EQ(call(Op::Cbrt, smallest), 0x1.428a3p-50f);
  EXPECT_EQ(call(Op::Cbrt, largest), 0x1.965feap+42f);
  EXPECT_EQ(call(Op::Sinh, 0x1.65a9f8p+6f), 0x1.ffffd8p+127f);
  EXPECT_EQ(call(Op::Sinh, 0x1.65a9fap+6f), infinity);
  EXPECT_EQ(call(Op::Cosh, 0x1.65a9fap+6f), infinity);
  EXPECT_EQ(call(Op::Hypot, largest, 0.0f), largest);
  EXPECT_EQ(call(Op::Hypot, largest, largest), infinity);
  EXPECT_EQ(call(Op::Hypot, 3 * smallest, 4 * smallest), 5 * smallest);
  EXPECT_EQ(call(Op::Hypot, smallest, largest), largest);
  EXPECT_EQ(call(Op::Atan2, smallest, largest), 0.0f);
  EXPECT_EQ(call(Op::Atan2, smallest, 1.0f), smallest);
  EXPECT_EQ(call(Op::Atan2, smallest, 3 * smallest), 0x1.4978fap-2f);
  EXPECT_EQ(call(Op::Atan2, largest, smallest), 0x1.921fb6p+0f);
  EXPECT_EQ(call(Op::Atan2, 3.0f, 0x1p127f), 0x1.8p-126f);
  EXPECT_EQ(call(Op::Atan2, 0x1.000002p-22f, 0x1.8p127f), smallest);
  EXPECT_EQ(call(Op::Pow, 0x1p-149f, 0.5f), 0x1.6a09e6p-75f);
  EXPECT_EQ(call(Op::Pow, 0.5f, 149.0f), smallest);
  EXPECT_EQ(call(Op::Pow, 0x1.fffffep-1f, 0x1.8p+30f), 0x1.6a4p-139f);
  EXPECT_EQ(call(Op::Pow, -1.0f, infinity), 1.0f);
}

// As many lanes of f32 as a register holds: no kernel but that of fmod converts them to f64.
template <Op... ops>
constexpr bool work_on_f32 = (std::is_same_v<KernelElement<ops, f32>, f32> && ...);
static_assert(work_on_f32<Op::Exp, Op::Exp2, Op::Log, Op::Log2, Op::Log10, Op::Log0, Op::Sin,
                          Op::Cos, Op::Tan, Op::Asin, Op::Acos, Op::Atan, Op::Sinh, Op::Cosh,
                          Op::Tanh, Op::Cbrt, Op::Erf, Op::Pow, Op::Atan2, Op::Hypot>);

// The largest errors of docs/measurements.md, rounded up.
f64 largest_error_of_32(Op op) {
  switch (op) {
    case Op::Asin:
    case Op::Acos: return 0.65;
    case Op::Sinh:
    case Op::Cosh: return 0.74;
    case Op::Tan: return 0.76;
    case Op::Sin:
    case Op::Cos: return 0.83;
    case Op::Erf: return 0.86;
    default: return 0;
  }
}

// Where pieces of kernels of f32 meet, all f32 next to there: halves of asin and acos, pieces of erf, and counts of
// powers of two of which sinh and cosh need the last bits.
TEST(FunctionCases, SeamsOf32) {
  struct Seam {
    Op op;
    f32 at;
  };
  for (const Seam& seam :
       {Seam{Op::Asin, 0.5f},        Seam{Op::Acos, 0.5f},       Seam{Op::Acos, -0.5f},
        Seam{Op::Asin, 1.0f},        Seam{Op::Acos, 1.0f},       Seam{Op::Erf, 0.75f},
        Seam{Op::Erf, 1.5f},         Seam{Op::Erf, 2.5f},        Seam{Op::Erf, 4.0f},
        Seam{Op::Sinh, 0.34657359f}, Seam{Op::Sinh, 7.9711924f}, Seam{Op::Cosh, 7.9711924f},
        Seam{Op::Sinh, 8.6643398f},  Seam{Op::Cosh, 8.6643398f}, Seam{Op::Cosh, 8.02f},
        Seam{Op::Sinh, 41.9f},       Seam{Op::Tan, 0.78539816f}, Seam{Op::Sin, 0x1p15f},
        Seam{Op::Cos, 0x1p20f},      Seam{Op::Tan, 0x1p15f}}) {
    ExactFunction exact(seam.op);
    f64 worst = 0;
    f32 of = 0, x = seam.at;
    for (u32 k = 0; k < 1000; ++k) x = std::nextafter(x, -HUGE_VALF);
    for (u32 k = 0; k < 2000; ++k, x = std::nextafter(x, HUGE_VALF)) {
      const f64 error = exact.error(x, 0.0f, call(seam.op, x));
      if (error > worst) worst = error, of = x;
    }
    EXPECT_LE(worst, largest_error_of_32(seam.op))
        << function_name(seam.op) << std::hexfloat << " of " << of;
  }
  EXPECT_EQ(call(Op::Erf, 4.0f), 1.0f);
  EXPECT_EQ(call(Op::Erf, -4.0f), -1.0f);
}

// The f64 that comes closest to a multiple of π/2 (J.-M. Muller, "Elementary Functions", chapter 11), the largest
// one, and both sides of where huge angles begin.
TEST(FunctionCases, AnglesNextToQuarterTurns) {
  for (f64 angle :
       {0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+0, 0x1.4b3c4f9a2d0e6p+20, 0x1.fffffffffffffp+19,
        0x1p20, -0x1.6ac5b262ca1ffp+849, std::numeric_limits<f64>::max(), 0x1.7ffffp+1000}) {
    for (Op op : {Op::Sin, Op::Cos, Op::Tan}) {
      ExactFunction exact(op);
      EXPECT_LE(exact.error(angle, 0.0, call(op, angle)), 0.9)
          << function_name(op) << std::hexfloat << " of " << angle;
    }
  }
}

// The f32 nearest to each multiple of π/4 up to where sine and cosine no longer work in f32, and a little beyond
// that: next to zeros, and where the number of quarter turns changes.
TEST(FunctionCases, SmallAnglesNextToEighthTurns) {
  for (Op op : {Op::Sin, Op::Cos, Op::Tan}) {
    ExactFunction exact(op);
    f64 worst = 0;
    f32 of = 0;
    for (u32 eighths = 1; eighths <= 42'000; ++eighths) {
      const f32 angle = static_cast<f32>(eighths * (kHalfPi / 2));
      const f64 error = exact.error(angle, 0.0f, call(op, angle));
      if (error > worst) worst = error, of = angle;
    }
    EXPECT_LE(worst, 0.9) << function_name(op) << std::hexfloat << " of " << of;
  }
}

}  // namespace
}  // namespace komuz::test
