// SPDX-License-Identifier: Apache-2.0
// x ** y of floats: the special cases of C99 by a table, exact powers, and the error against 113 bits of precision.
// KOMUZ_SAMPLES=n takes n samples of each kind and prints the largest errors.
#include "lang/math/pow.h"

#include <gtest/gtest.h>
#include <quadmath.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>

#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

__extension__ typedef __float128 Quad;

template <class F>
F power(F x, F y) {
  return power_float(x, y).value;
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

// Errors in units of the last place of the exact value; of a subnormal one, of all subnormals.
struct Errors {
  f64 normal = 0, subnormal = 0;
};

template <class F>
void add_error(Errors& errors, F x, F y) {
  const F value = power(x, y);
  const Quad exact = powq(x, y);
  const F size = std::fabs(static_cast<F>(exact));
  if (!std::isfinite(size) || !std::isfinite(value)) {
    EXPECT_EQ(value, static_cast<F>(exact)) << std::hexfloat << x << " ** " << y;
    return;
  }
  // The distance of floats around the exact value: at a power of two it matters on which side that lies.
  const bool beyond = (exact < 0 ? -exact : exact) >= static_cast<Quad>(size);
  const F other = std::nextafter(size, beyond ? std::numeric_limits<F>::infinity() : F(0));
  const Quad unit = static_cast<Quad>(std::isinf(other) ? size - std::nextafter(size, F(0))
                                                        : std::fabs(other - size));
  const Quad off = static_cast<Quad>(value) - exact;
  const f64 error = static_cast<f64>((off < 0 ? -off : off) / unit);
  f64& worst = size < std::numeric_limits<F>::min() ? errors.subnormal : errors.normal;
  worst = error > worst ? error : worst;
}

// A positive number of random bits below 2^bits, and at least as often one near 1.
template <class F>
F random_base(Random& random) {
  const F fraction = static_cast<F>(static_cast<f64>(random.next() >> 11) * 0x1p-53);
  switch (random.below(4)) {
    case 0: return F(1) + (fraction - F(0.5)) * F(0.01);
    case 1: return F(0.5) + fraction * F(1.5);
    case 2: return fraction * F(100);
    default: {
      const u32 exponents = static_cast<u32>(std::numeric_limits<F>::max_exponent * 2 + 20);
      return std::ldexp(F(1) + fraction, static_cast<int>(random.below(exponents)) -
                                             static_cast<int>(exponents / 2 + 10));
    }
  }
}

template <class F>
Errors measure_errors(u32 samples) {
  using Limits = std::numeric_limits<F>;
  Random random(11);
  Errors errors;
  for (u32 k = 0; k < samples; ++k) {
    const F x = random_base<F>(random);
    if (x == F(0) || !std::isfinite(x)) continue;
    // Results all over the range: y = (an exponent of the result) / log2 x. Else small exponents.
    const f64 fraction = static_cast<f64>(random.next() >> 11) * 0x1p-53;
    const f64 lowest = Limits::min_exponent - Limits::digits, highest = Limits::max_exponent;
    const f64 wanted = lowest + fraction * (highest - lowest);
    const f64 logarithm = std::log2(static_cast<f64>(x));
    const bool small = random.below(4) == 0 || logarithm == 0;
    add_error(errors, x, static_cast<F>(small ? (fraction - 0.5) * 8 : wanted / logarithm));
  }
  return errors;
}

u32 wanted_samples() {
  const char* const wanted = std::getenv("KOMUZ_SAMPLES");
  return wanted == nullptr ? 100'000 : static_cast<u32>(std::strtoul(wanted, nullptr, 10));
}
void show(const char* type, const Errors& errors) {
  if (std::getenv("KOMUZ_SAMPLES") != nullptr)
    std::cout << type << ": normal " << errors.normal << ", subnormal " << errors.subnormal << '\n';
}

TEST(Pow, ErrorBelowOneUnit64) {
  const Errors errors = measure_errors<f64>(wanted_samples());
  show("f64", errors);
  EXPECT_LT(errors.normal, 0.54);
  EXPECT_LT(errors.subnormal, 0.77);
  EXPECT_GT(errors.normal, 0.49);  // the samples show errors at all
  EXPECT_GT(errors.subnormal, 0.49);
}
TEST(Pow, ErrorBelowOneUnit32) {
  const Errors errors = measure_errors<f32>(wanted_samples());
  show("f32", errors);
  EXPECT_LT(errors.normal, 0.5001);
  EXPECT_LT(errors.subnormal, 0.5001);
  EXPECT_GT(errors.normal, 0.49);
  EXPECT_GT(errors.subnormal, 0.49);
}

}  // namespace
}  // namespace komuz::test
