// SPDX-License-Identifier: Apache-2.0
// x ** y of floats: the special cases of C99 by a table, and exact powers. Its error: functions_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

template <class F>
F power(F x, F y) {
  return evaluate_binary<Op::Pow>(x, y).value;
}

constexpr f64 kInf = std::numeric_limits<f64>::infinity();
constexpr f64 kNan = std::numeric_limits<f64>::quiet_NaN();

struct SpecialCase {
  f64 x, y, expected;
};
constexpr SpecialCase kSpecialCases[] = {
    {0.0, 3.0, 0.0},       {-0.0, 3.0, -0.0},     {0.0, 2.0, 0.0},      {-0.0, 2.0, 0.0},
    {0.0, 0.5, 0.0},       {-0.0, 0.5, 0.0},      {0.0, kInf, 0.0},     {-0.0, kInf, 0.0},
    {0.0, -3.0, kInf},     {-0.0, -3.0, -kInf},   {0.0, -2.0, kInf},    {-0.0, -2.0, kInf},
    {0.0, -0.5, kInf},     {-0.0, -0.5, kInf},    {0.0, -kInf, kInf},   {-0.0, -kInf, kInf},
    {kInf, 3.0, kInf},     {kInf, 0.5, kInf},     {kInf, -1.0, 0.0},    {kInf, -0.5, 0.0},
    {-kInf, 3.0, -kInf},   {-kInf, 2.0, kInf},    {-kInf, 0.5, kInf},   {-kInf, -3.0, -0.0},
    {-kInf, -2.0, 0.0},    {-kInf, -0.5, 0.0},    {kInf, kInf, kInf},   {kInf, -kInf, 0.0},
    {-kInf, kInf, kInf},   {-kInf, -kInf, 0.0},   {2.0, kInf, kInf},    {2.0, -kInf, 0.0},
    {-2.0, kInf, kInf},    {-2.0, -kInf, 0.0},    {0.5, kInf, 0.0},     {0.5, -kInf, kInf},
    {-0.5, kInf, 0.0},     {-0.5, -kInf, kInf},   {-1.0, kInf, 1.0},    {-1.0, -kInf, 1.0},
    {1.0, kInf, 1.0},      {1.0, -kInf, 1.0},     {1.0, kNan, 1.0},     {1.0, 1e30, 1.0},
    {kNan, 0.0, 1.0},      {kNan, -0.0, 1.0},     {kInf, 0.0, 1.0},     {-kInf, -0.0, 1.0},
    {0.0, 0.0, 1.0},       {-0.0, -0.0, 1.0},     {-3.5, 0.0, 1.0},     {kNan, 1.0, kNan},
    {2.0, kNan, kNan},     {kNan, kNan, kNan},    {0.0, kNan, kNan},    {-1.0, kNan, kNan},
    {-1.0, 0.5, kNan},     {-2.0, -1.5, kNan},    {-1e30, 0.5, kNan},   {-1.0, 3.0, -1.0},
    {-1.0, 1e30, 1.0},     {-2.0, 3.0, -8.0},     {-2.0, 4.0, 16.0},    {-2.0, -3.0, -0.125},
    {10.0, 400.0, kInf},   {-10.0, 401.0, -kInf}, {-10.0, 400.0, kInf}, {10.0, -400.0, 0.0},
    {-10.0, -401.0, -0.0}, {2.0, 2e30, kInf},     {2.0, -2e30, 0.0},    {0.5, 2e30, 0.0},
};

template <class F>
void expect_special_cases() {
  for (const SpecialCase& special : kSpecialCases) {
    const F x = static_cast<F>(special.x), y = static_cast<F>(special.y);
    EXPECT_EQ(cell_of_value(power(x, y)), cell_of_value(static_cast<F>(special.expected)))
        << std::hexfloat << x << " ** " << y << " is " << power(x, y);
  }
}
TEST(Pow, SpecialCases64) { expect_special_cases<f64>(); }
TEST(Pow, SpecialCases32) { expect_special_cases<f32>(); }

TEST(Pow, EndsOfTheRange) {
  EXPECT_EQ(power(2.0, 1023.0), 0x1p1023);
  EXPECT_EQ(power(2.0, 1024.0), kInf);
  EXPECT_EQ(power(-2.0, -1074.0), 0x1p-1074);
  EXPECT_EQ(power(2.0, -1075.0), 0.0);        // half of the smallest number: to even
  EXPECT_EQ(power(2.0, -1074.5), 0x1p-1074);  // more than half of it
  EXPECT_EQ(power(0x1p-1074, 1.0), 0x1p-1074);
  EXPECT_EQ(power(0x1p-1074, -0.5), 0x1p537);
  EXPECT_EQ(power(0x1.fffffffffffffp1023, 1.0), 0x1.fffffffffffffp1023);
  EXPECT_EQ(power(-0x1.fffffffffffffp1023, -1.0), -0x1p-1024);
  EXPECT_EQ(power(0x1.fffffffffffffp-1, 0x1p63), 0.0);
  EXPECT_EQ(power(1.0 + 0x1p-52, 0x1p63), kInf);
  EXPECT_EQ(power(2.0f, 127.0f), 0x1p127f);
  EXPECT_EQ(power(2.0f, 128.0f), std::numeric_limits<f32>::infinity());
  EXPECT_EQ(power(2.0f, -149.0f), 0x1p-149f);
  EXPECT_EQ(power(2.0f, -150.0f), 0.0f);
  EXPECT_EQ(power(-0x1p-149f, 1.0f), -0x1p-149f);
  EXPECT_EQ(power(0x1.fffffep127f, 1.0f), 0x1.fffffep127f);
}

// The largest exponents that a float tells apart from even ones.
TEST(Pow, ParityOfLargeExponents) {
  EXPECT_EQ(power(-1.0, 9007199254740991.0), -1.0);
  EXPECT_EQ(power(-1.0, 9007199254740992.0), 1.0);
  EXPECT_EQ(power(-1.0, -4503599627370497.0), -1.0);
  EXPECT_TRUE(std::isnan(power(-1.0, 4503599627370495.5)));
  EXPECT_EQ(power(-1.0f, 16777215.0f), -1.0f);
  EXPECT_EQ(power(-1.0f, 16777216.0f), 1.0f);
}

TEST(Pow, ExactPowersAreExact) {
  for (i64 base = 2; base <= 1000; ++base) {
    i64 exact = base;
    for (u32 exponent = 1; exact <= i64{1} << 53; ++exponent, exact *= base) {
      const f64 x = static_cast<f64>(base), y = static_cast<f64>(exponent);
      ASSERT_EQ(power(x, y), static_cast<f64>(exact)) << base << " ** " << exponent;
      ASSERT_EQ(power(static_cast<f64>(exact), 1.0), static_cast<f64>(exact));
      if (exponent == 2) {
        ASSERT_EQ(power(static_cast<f64>(exact), 0.5), x);
      }
      if (exact <= i64{1} << 24) {
        ASSERT_EQ(power(static_cast<f32>(x), static_cast<f32>(y)), static_cast<f32>(exact));
      }
    }
  }
}

}  // namespace
}  // namespace komuz::test
