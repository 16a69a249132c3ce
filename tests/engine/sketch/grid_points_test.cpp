// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid/grid_points.h"

#include <bit>
#include <cmath>
#include <random>
#include <span>

#include "engine/values/value_text.h"
#include "tests/engine/sketch/decimal_oracle.h"
#include "tests/engine/sketch/sketches.h"

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
  const GridPoints points(grid);
  std::string out;
  for (u64 k = 0; k < grid.points; ++k) {
    if (k != 0) out += ' ';
    print_scalar(out, grid.type, points.at(k), ValueStyle::Source);
  }
  return out;
}

TEST(GridPoints, OfIntegersAreAllFromEndToEnd) {
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

TEST(GridPoints, OfFloatsHaveAsManyStepsAsTheySay) {
  EXPECT_EQ(points("f64", "(0.0..1.0, steps: 4)"), "0.0 0.25 0.5 0.75");
  EXPECT_EQ(points("f64", "(0.0..=1.0, steps: 5)"), "0.0 0.25 0.5 0.75 1.0");
  EXPECT_EQ(points("f64", "(-1.0..=1.0, steps: 3)"), "-1.0 0.0 1.0");
  EXPECT_EQ(points("f64", "(-3.0..-1.0, steps: 2)"), "-3.0 -2.0");
  EXPECT_EQ(points("f32", "(-1.0..=1.0, steps: 3)"), "-1.0 0.0 1.0");
  EXPECT_EQ(points("f64", "(0.0..1.0, steps: 1)"), "0.0");
}

// What people write down as a grid.
TEST(GridPoints, OfFloatsAreShortDecimals) {
  const std::string tenths =
      "-0.9 -0.8 -0.7 -0.6 -0.5 -0.4 -0.3 -0.2 -0.1 0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9";
  for (const char* type : {"f64", "f32"}) {
    EXPECT_EQ(points(type, "(-0.9..=0.9, steps: 19)"), tenths);
    EXPECT_EQ(points(type, "(-1.0..=1.0, steps: 21)"), "-1.0 " + tenths + " 1.0");
    EXPECT_EQ(points(type, "(-0.9..1.0, steps: 19)"), tenths);
    EXPECT_EQ(points(type, "(0.1..1.0, steps: 9)"), "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9");
    EXPECT_EQ(points(type, "(1.0..=0.0, steps: 6)"), "1.0 0.8 0.6 0.4 0.2 0.0");
    EXPECT_EQ(points(type, "(0.001..=1000.0, steps: 7, log: true)"),
              "0.001 0.01 0.1 1.0 10.0 100.0 1000.0");
  }
  EXPECT_EQ(points("f64", "(0.0..=1.0, steps: 4)"),
            "0.0 0.3333333333333333 0.6666666666666667 1.0");
  EXPECT_EQ(points("f32", "(0.0..=1.0, steps: 4)"), "0.0 0.3333333 0.6666667 1.0");
  EXPECT_EQ(points("f64", "(1e22..=1e23, steps: 4)"), "1e+22 4e+22 7e+22 1e+23");
  EXPECT_EQ(points("f64", "(1.0..=16.0, steps: 5, log: true)"), "1.0 2.0 4.0 8.0 16.0");
}

// Where all exact points have few digits, each point is the number that these digits spell: 1.6, not 1.5999999999999996.
TEST(GridPoints, OfShortStepsAreWhatTheirDigitsSpell) {
  const auto decimal = [](i64 hundredths) {
    const std::string digits = std::to_string(std::abs(hundredths) + 1000);
    std::string whole = std::to_string(std::abs(hundredths) / 100);
    return (hundredths < 0 ? "-" : "") + whole + "." + digits.substr(digits.size() - 2);
  };
  std::mt19937_64 random(1);
  for (u32 k = 0; k < 300; ++k) {
    const i64 low = static_cast<i64>(random() % 4001) - 2000,
              step = 1 + static_cast<i64>(random() % 50);
    const i64 steps = 2 + static_cast<i64>(random() % 30);
    const bool is_inclusive = random() % 2 == 0;
    const i64 high = low + step * (is_inclusive ? steps - 1 : steps);
    const std::string text = "(" + decimal(low) + (is_inclusive ? "..=" : "..") + decimal(high) +
                             ", steps: " + std::to_string(steps) + ")";
    for (const char* type : {"f64", "f32"}) {
      const Grid grid = grid_of(type, text);
      const GridPoints points(grid);
      for (i64 i = 0; i < steps; ++i) {
        u64 cell = 0;
        ASSERT_FALSE(parse_scalar(grid.type, decimal(low + step * i), ValueStyle::Text, cell));
        // The point of no distance has no sign.
        if (low + step * i == 0) cell = 0;
        ASSERT_EQ(points.at(static_cast<u64>(i)), cell) << type << " " << text << ", point " << i;
      }
    }
  }
  EXPECT_EQ(points("f64", "(0.1..=3.1, steps: 16)"),
            "0.1 0.3 0.5 0.7 0.9 1.1 1.3 1.5 1.7 1.9 2.1 2.3 2.5 2.7 2.9 3.1");
}

TEST(GridPoints, DoNotOverflow) {
  EXPECT_EQ(points("f64", "(0.0..=1e308, steps: 5)"), "0.0 2.5e+307 5e+307 7.5e+307 1e+308");
  EXPECT_EQ(points("f64", "(-1.7e308..=1.7e308, steps: 5)"),
            "-1.7e+308 -8.5e+307 0.0 8.5e+307 1.7e+308");
  EXPECT_EQ(points("f64", "(-1.7976931348623157e308..=1.7976931348623157e308, steps: 3)"),
            "-1.7976931348623157e+308 0.0 1.7976931348623157e+308");
  EXPECT_EQ(points("f32", "(-3.4028235e38..=3.4028235e38, steps: 3)"),
            "-3.4028235e+38 0.0 3.4028235e+38");
  EXPECT_EQ(points("f64", "(1e-300..=1e300, steps: 5, log: true)"),
            "1e-300 1e-150 1.0 1e+150 1e+300");
}

// Neighbours in so dense a grid are no nearer to each other than floats are, and stay different.
TEST(GridPoints, OfDenseGridsAreInOrder) {
  EXPECT_EQ(points("f64", "(1.0..=1.000000000000001, steps: 6)"),
            "1.0 1.0000000000000002 1.0000000000000004 1.0000000000000007 1.0000000000000009 "
            "1.000000000000001");
  EXPECT_EQ(points("f32", "(1.0..=1.0000004, steps: 4, log: true)"),
            "1.0 1.0000001 1.0000002 1.0000004");
  EXPECT_EQ(points("f64", "(1.5..=1.5, steps: 3)"), "1.5 1.5 1.5");
}

// Grids from and to decimals of few digits, as they are written, against rational arithmetic of any size.
struct RandomGrid {
  std::string low, high;  // as text
  Grid grid;

  RandomGrid(std::mt19937_64& random, Scalar type, i32 widest, bool is_logarithmic) {
    const bool is_wide = type == Scalar::F64;
    const auto below = [&random](u64 n) { return random() % n; };
    const auto number = [&](i32 power) {
      const u64 digits = below(is_wide ? 15 : 6) + 1;
      std::string text = !is_logarithmic && below(2) == 0 ? "-" : "";
      text += static_cast<char>('1' + below(9));
      for (u64 k = 1; k < digits; ++k) text += static_cast<char>('0' + below(10));
      if (!is_logarithmic && below(8) == 0) text = "0";
      return text + "e" + std::to_string(power - static_cast<i32>(digits));
    };
    const auto widest_power = static_cast<u64>(is_wide ? 300 : 36);
    const i32 power = static_cast<i32>(below(2 * widest_power)) - static_cast<i32>(widest_power);
    const i32 spread = static_cast<i32>(below(static_cast<u64>(2 * widest + 1))) - widest;
    low = number(power);
    high = number(std::clamp(power + spread, -static_cast<i32>(widest_power),
                             static_cast<i32>(widest_power)));
    grid.type = type;
    grid.low = test::nearest_cell_of(type, low);
    grid.high = test::nearest_cell_of(type, high);
    grid.is_inclusive = below(2) == 0;
    grid.is_logarithmic = is_logarithmic;
    constexpr u64 kPoints[] = {2, 3, 5, 11, 20, 64, 101, 1000, 10'000, 4'294'967'295};
    grid.points = kPoints[below(std::size(kPoints))];
  }
  [[nodiscard]] u32 parts() const { return static_cast<u32>(grid.points - grid.is_inclusive); }
};

void expect_as_oracle(u64 seed, u32 grids, i32 widest, bool is_logarithmic) {
  std::mt19937_64 random(seed);
  for (u32 n = 0; n < grids; ++n) {
    const RandomGrid drawn(random, n % 2 == 0 ? Scalar::F64 : Scalar::F32, widest, is_logarithmic);
    const GridPoints points(drawn.grid);
    for (u32 k = 0; k < 12; ++k) {
      const u64 point = 1 + random() % (drawn.grid.points - 1);
      if (point == drawn.parts()) continue;
      const std::string expected =
          is_logarithmic
              ? test::log_point_text(drawn.grid.type, drawn.low, drawn.high, point, drawn.parts())
              : test::linear_point_text(drawn.grid.type, drawn.low, drawn.high, point,
                                        drawn.parts());
      ASSERT_EQ(points.at(point), test::nearest_cell_of(drawn.grid.type, expected))
          << (drawn.grid.type == Scalar::F64 ? "f64 " : "f32 ") << drawn.low << " to " << drawn.high
          << ", " << point << " of " << drawn.parts() << ": " << expected << "; seed " << seed;
    }
  }
}
TEST(GridPoints, AreTheShortestDecimalsNearTheExactOnes) {
  expect_as_oracle(1, 400, 0, false);
  expect_as_oracle(2, 400, 3, false);
  expect_as_oracle(3, 200, 40, false);
  expect_as_oracle(4, 60, 600, false);
}
TEST(GridPoints, OfLogarithmicGridsAreTheShortestDecimalsNearTheExactOnes) {
  expect_as_oracle(5, 100, 3, true);
  expect_as_oracle(6, 100, 600, true);
}

TEST(GridPoints, OfSymmetricGridsAreSymmetric) {
  std::mt19937_64 random(7);
  for (u32 n = 0; n < 400; ++n) {
    const Scalar type = n % 2 == 0 ? Scalar::F64 : Scalar::F32;
    const u64 sign = u64{1} << (scalar_bits(type) - 1);
    Grid grid = RandomGrid(random, type, 0, false).grid;
    if ((grid.low & ~sign) == 0) continue;
    grid.low |= sign;
    grid.high = grid.low & ~sign;
    grid.is_inclusive = true;
    grid.points = 3 + 2 * (random() % 200);
    const GridPoints points(grid);
    const u64 middle = grid.points / 2;
    EXPECT_EQ(points.at(middle), 0u);
    for (u64 k = 0; k < middle; ++k)
      ASSERT_EQ(points.at(k), points.at(grid.points - 1 - k) | sign) << n << ' ' << k;
  }
}

// Shares of ends with all digits, where points are long.
TEST(GridPoints, OfAnyEndsAreBetweenTheirNeighbours) {
  std::mt19937_64 random(8);
  for (u32 n = 0; n < 400; ++n) {
    const bool is_narrow = n % 2 != 0;
    const auto positive = [&] {
      return is_narrow ? random() % 0x7F00'0000 : random() % 0x7FE0'0000'0000'0000;
    };
    Grid grid{is_narrow ? Scalar::F32 : Scalar::F64, positive() + 1, 0, 2 + random() % 50};
    grid.high = n % 3 == 0 ? grid.low + random() % 100 + 1 : positive() + 1;
    if (grid.low > grid.high) std::swap(grid.low, grid.high);
    grid.is_logarithmic = n % 4 == 0;
    grid.is_inclusive = n % 5 == 0;
    const GridPoints points(grid);
    u64 last = grid.low;
    for (u64 k = 0; k < grid.points; ++k) {
      const u64 here = points.at(k);
      ASSERT_TRUE(last <= here && here <= grid.high) << n << ' ' << k;
      last = here;
    }
  }
}

// What is fast against what is exact.
TEST(GridPoints, AreTheSameInNumbersOfAnySize) {
  std::mt19937_64 random(9);
  for (u32 n = 0; n < 300; ++n) {
    const Grid grid = RandomGrid(random, n % 2 == 0 ? Scalar::F64 : Scalar::F32, 12, false).grid;
    const LinearGrid ends{grid.type, shortest_decimal(grid.type, grid.low),
                          shortest_decimal(grid.type, grid.high), static_cast<u32>(grid.points)};
    const LinearPoints points(ends);
    for (u32 k = 0; k < 20; ++k) {
      const u32 point = static_cast<u32>(random() % grid.points);
      ASSERT_EQ(nearest_cell(grid.type, points.at(point)),
                nearest_cell(grid.type, exact_point(ends, point)))
          << n << ' ' << point;
    }
  }
}

// The first point of every grid is its lower bound, and the last one of `..=` its upper bound, to the bit.
TEST(GridPoints, EndsAreTheBoundsAsWritten) {
  const f64 bounds[] = {1e-300, 1e-5, 0.1, 0.3, 0.7, 0.9, 1.0, 3.3, 10.0, 12.3, 1e17, 1.7e30};
  u32 grids = 0;
  const auto check = [&](Scalar type, u64 low, u64 high) {
    for (const u64 points : {2, 3, 4, 7, 16, 40, 97, 4096})
      for (const bool is_logarithmic : {false, true})
        for (const bool is_inclusive : {false, true}) {
          const Grid grid{type, low, high, points, is_inclusive, is_logarithmic};
          const GridPoints all(grid);
          EXPECT_EQ(all.at(0), low);
          if (is_inclusive)
            EXPECT_EQ(all.at(points - 1), high);
          else
            EXPECT_NE(all.at(points - 1), high);
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

TEST(GridPoints, OfLogarithmicOnesHaveEqualRatios) {
  for (const char* type : {"f64", "f32"}) {
    const Grid grid = grid_of(type, "(0.01..=10.0, steps: 7, log: true)");
    const f64 within = type == std::string_view("f64") ? 1e-14 : 1e-6;
    for (u64 k = 0; k < 7; ++k) {
      const u64 cell = GridPoints(grid).at(k);
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
