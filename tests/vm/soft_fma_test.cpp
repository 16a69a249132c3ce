// SPDX-License-Identifier: Apache-2.0
// fma without the instruction against the library's, bit for bit, on millions of operands.
#include "lang/ops/soft_fma.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

template <class F>
bool agrees(F a, F b, F c) {
  const u64 actual = cell_of_value(soft_fma(a, b, c));
  const u64 expected = cell_of_value(std::fma(a, b, c));
  EXPECT_EQ(actual, expected) << std::hexfloat << a << " * " << b << " + " << c;
  return actual == expected;
}

template <class F>
F random_bits(Random& random) {
  return std::bit_cast<F>(static_cast<UnsignedLanes<F>>(random.next()));
}

// A product and an addend that nearly cancel, or lie a few binary places apart: where the rounding is hard.
template <class F>
bool close_terms_agree(Random& random, int exponent) {
  const int mantissa_bits = std::numeric_limits<F>::digits;
  const auto significand = [&] {
    const F whole = static_cast<F>(random.next() >> (64 - mantissa_bits));
    // Often few ones, so that ties occur.
    return random.below(2) == 0
               ? whole
               : std::ldexp(static_cast<F>(random.below(1u << 12) + 1), mantissa_bits - 12);
  };
  const F a = std::ldexp(significand(), exponent - mantissa_bits);
  const F b = std::ldexp(significand(), -mantissa_bits);
  const F product = a * b;
  const int reach = 3 * mantissa_bits;
  const int apart = static_cast<int>(random.below(2u * reach)) - reach;
  const F near =
      random.below(2) == 0 ? product : std::ldexp(significand(), exponent - mantissa_bits + apart);
  const F c = random.below(2) == 0 ? near : -near;
  return agrees(a, b, c) && agrees(-a, b, c);
}

template <class F>
void test_random_bits(u32 rounds) {
  Random random(7);
  bool same = true;
  for (u32 i = 0; same && i < rounds; ++i)
    same = agrees(random_bits<F>(random), random_bits<F>(random), random_bits<F>(random));
}

template <class F>
void test_close_terms(u32 rounds) {
  using Limits = std::numeric_limits<F>;
  Random random(8);
  bool same = true;
  // From below the subnormals to the largest products.
  const int lowest = Limits::min_exponent - Limits::digits - 2, highest = Limits::max_exponent;
  for (u32 i = 0; same && i < rounds; ++i)
    same = close_terms_agree<F>(random, lowest + static_cast<int>(random.below(highest - lowest)));
  for (u32 i = 0; same && i < rounds; ++i) {  // results that are subnormal
    const int exponent =
        Limits::min_exponent + 4 - static_cast<int>(random.below(Limits::digits + 6));
    same = close_terms_agree<F>(random, exponent);
  }
}

TEST(SoftFma, RandomBits64) { test_random_bits<f64>(2'000'000); }
TEST(SoftFma, RandomBits32) { test_random_bits<f32>(2'000'000); }
TEST(SoftFma, CloseTerms64) { test_close_terms<f64>(1'000'000); }
TEST(SoftFma, CloseTerms32) { test_close_terms<f32>(1'000'000); }

template <class F>
void test_edges() {
  const Scalar type = sizeof(F) == 8 ? Scalar::F64 : Scalar::F32;
  bool same = true;
  for (u64 a : edges(type))
    for (u64 b : edges(type))
      for (u64 c : edges(type))
        same = same && agrees(value_of_cell<F>(a), value_of_cell<F>(b), value_of_cell<F>(c));
}
TEST(SoftFma, Edges64) { test_edges<f64>(); }
TEST(SoftFma, Edges32) { test_edges<f32>(); }

}  // namespace
}  // namespace komuz::test
