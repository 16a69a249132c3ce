// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid_value.h"

#include <bit>
#include <cmath>
#include <span>

#include "engine/value_text.h"
#include "tests/engine/sketches.h"

namespace komuz::engine {
namespace {

using test::TestSketch;

Grid grid_of(const std::string& type, const std::string& grid) {
  const TestSketch sketch("fn f() -> " + type + " { ?" + grid + " }");
  EXPECT_EQ(sketch.sketch().holes.size(), 1u);
  EXPECT_EQ(sketch.count(), sketch.sketch().holes[0].grid.points);
  return sketch.sketch().holes[0].grid;
}
// All points, as programs write them.
std::string points(const std::string& type, const std::string& text) {
  const Grid grid = grid_of(type, text);
  std::string out;
  for (u64 k = 0; k < grid.points; ++k) {
    if (k != 0) out += ' ';
    print_scalar(out, grid.type, grid_value(grid, k), ValueStyle::Source);
  }
  return out;
}

TEST(GridValue, OfIntegersAreAllFromEndToEnd) {
  EXPECT_EQ(points("i64", "(1..=6)"), "1 2 3 4 5 6");
  EXPECT_EQ(points("i64", "(1..6)"), "1 2 3 4 5");
  EXPECT_EQ(points("i64", "(-2..=1)"), "-2 -1 0 1");
  EXPECT_EQ(points("i32", "(-2147483648..-2147483645)"), "-2147483648 -2147483647 -2147483646");
  EXPECT_EQ(points("u32", "(4294967294..=4294967295)"), "4294967294 4294967295");
  EXPECT_EQ(points("u64", "(18446744073709551614..=18446744073709551615)"),
            "18446744073709551614 18446744073709551615");
  EXPECT_EQ(points("i64", "(-9223372036854775808..=-9223372036854775807)"),
            "-9223372036854775808 -9223372036854775807");
  EXPECT_EQ(points("i64", "(9223372036854775806..=9223372036854775807)"),
            "9223372036854775806 9223372036854775807");
  EXPECT_EQ(points("u8", "('a'..'d')"), points("u8", "(97..100)"));
}

TEST(GridValue, OfFloatsHaveAsManyStepsAsTheySay) {
  EXPECT_EQ(points("f64", "(0.0..1.0, steps: 4)"), "0.0 0.25 0.5 0.75");
  EXPECT_EQ(points("f64", "(0.0..=1.0, steps: 5)"), "0.0 0.25 0.5 0.75 1.0");
  EXPECT_EQ(points("f64", "(-1.0..=1.0, steps: 3)"), "-1.0 0.0 1.0");
  EXPECT_EQ(points("f64", "(-3.0..-1.0, steps: 2)"), "-3.0 -2.0");
  EXPECT_EQ(points("f32", "(-1.0..=1.0, steps: 3)"), "-1.0 0.0 1.0");
  EXPECT_EQ(points("f64", "(0.0..1.0, steps: 1)"), "0.0");
}

// a + (b - a) · i / s in f64, in this order, whatever the type.
TEST(GridValue, OfFloatsAreComputedInDoublePrecision) {
  const f64 a = -0.7, b = 12.3;
  const Grid open = grid_of("f64", "(-0.7..12.3, steps: 97)");
  const Grid closed = grid_of("f64", "(-0.7..=12.3, steps: 97)");
  const Grid narrow = grid_of("f32", "(-0.7..=12.3, steps: 97)");
  const f64 low = static_cast<f32>(-0.7), high = static_cast<f32>(12.3);
  for (u64 k = 0; k < 97; ++k) {
    const f64 i = static_cast<f64>(k);
    EXPECT_EQ(std::bit_cast<f64>(grid_value(open, k)), a + (b - a) * i / 97.0);
    EXPECT_EQ(std::bit_cast<f64>(grid_value(closed, k)), k == 96 ? b : a + (b - a) * i / 96.0);
    EXPECT_EQ(std::bit_cast<f32>(static_cast<u32>(grid_value(narrow, k))),
              static_cast<f32>(k == 96 ? high : low + (high - low) * i / 96.0));
  }
}

// The first point of every grid is its lower bound, and the last one of `..=` its upper bound, to the bit.
TEST(GridValue, EndsAreTheBoundsAsWritten) {
  const f64 bounds[] = {1e-300, 1e-5, 0.1, 0.3, 0.7, 0.9, 1.0, 3.3, 10.0, 12.3, 1e17, 1.7e30};
  u32 grids = 0;
  const auto check = [&](Scalar type, u64 low, u64 high) {
    for (const u64 points : {2, 3, 4, 7, 16, 40, 97, 4096})
      for (const bool is_logarithmic : {false, true})
        for (const bool is_inclusive : {false, true}) {
          const Grid grid{type, low, high, points, is_inclusive, is_logarithmic};
          EXPECT_EQ(grid_value(grid, 0), low);
          if (is_inclusive)
            EXPECT_EQ(grid_value(grid, points - 1), high);
          else
            EXPECT_NE(grid_value(grid, points - 1), high);
          ++grids;
        }
  };
  for (const f64& low : bounds)
    for (const f64& high : std::span(&low + 1, std::end(bounds))) {
      check(Scalar::F64, std::bit_cast<u64>(low), std::bit_cast<u64>(high));
      const auto narrow_low = static_cast<f32>(low), narrow_high = static_cast<f32>(high);
      if (narrow_low > 0)
        check(Scalar::F32, std::bit_cast<u32>(narrow_low), std::bit_cast<u32>(narrow_high));
    }
  EXPECT_EQ(grids, (66 + 55) * 32u);
  EXPECT_EQ(points("f64", "(0.3..=0.9, steps: 2)"), "0.3 0.9");
  EXPECT_EQ(points("f32", "(0.3..=0.9, steps: 2)"), "0.3 0.9");
  EXPECT_TRUE(points("f64", "(0.1..=10.0, steps: 16, log: true)").ends_with(" 10.0"));
  EXPECT_EQ(points("f64", "(-0.0..=1.0, steps: 2)"), "-0.0 1.0");
}

TEST(GridValue, OfLogarithmicOnesHaveEqualRatios) {
  for (const char* type : {"f64", "f32"}) {
    const Grid grid = grid_of(type, "(0.01..=10.0, steps: 7, log: true)");
    const f64 within = type == std::string_view("f64") ? 1e-14 : 1e-6;
    for (u64 k = 0; k < 7; ++k) {
      const u64 cell = grid_value(grid, k);
      const f64 value = grid.type == Scalar::F64 ? std::bit_cast<f64>(cell)
                                                 : std::bit_cast<f32>(static_cast<u32>(cell));
      EXPECT_NEAR(value / (0.01 * std::pow(10.0, static_cast<f64>(k) / 2.0)), 1.0, within);
    }
  }
  EXPECT_EQ(points("f64", "(1.0..16.0, steps: 1, log: true)"), "1.0");
  EXPECT_EQ(points("f64", "(0.0..1.0, steps: 2, log: false)"), "0.0 0.5");
}

}  // namespace
}  // namespace komuz::engine
