// SPDX-License-Identifier: Apache-2.0
// Holes that are any number: their points, names and texts.
#include "engine/sketch/grid/real_points.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "engine/sketch/sketch_candidates.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine {
namespace {

using test::TestSketch;

f64 number_at(u32 point) { return std::bit_cast<f64>(real_cell(point, Scalar::F64)); }

TEST(RealPoints, AreInOrderAndLieAlikeOnBothSidesOfZero) {
  EXPECT_EQ(number_at(kRealZero), 0.0);
  EXPECT_FALSE(std::signbit(number_at(kRealZero)));
  EXPECT_EQ(number_at(kRealOne), 1.0);
  EXPECT_EQ(number_at(kRealOne + kRealDouble), 2.0);
  EXPECT_EQ(number_at(kRealPoints - 1), 3.4028235e38);
  EXPECT_EQ(number_at(0), -3.4028235e38);
  Random random(7);
  for (u32 k = 0; k < 100'000; ++k) {
    const auto point = static_cast<u32>(random.next() % (kRealPoints - 1));
    const f64 here = number_at(point), next = number_at(point + 1);
    ASSERT_LT(here, next) << point;
    ASSERT_EQ(number_at(static_cast<u32>(kRealPoints - 1 - point)), -here) << point;
    ASSERT_EQ(nearest_real_point(here), point);
    ASSERT_EQ(std::bit_cast<f32>(static_cast<u32>(real_cell(point, Scalar::F32))),
              static_cast<f32>(here));
  }
}

// So constants that people write are found to the last digit.
TEST(RealPoints, EveryNumberOfSixDigitsIsOne) {
  Random random(8);
  for (u32 k = 0; k < 100'000; ++k) {
    const std::string text = std::to_string(random.below(1'000'000)) + "e" +
                             std::to_string(static_cast<i32>(random.below(68)) - 37);
    f64 number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (number < 1e-37 && number != 0) continue;
    ASSERT_EQ(number_at(nearest_real_point(number)), number) << text;
  }
}

TEST(RealPoints, WhatIsNoSuchNumberHasTheNearestOne) {
  constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
  EXPECT_EQ(nearest_real_point(kInfinity), kRealPoints - 1);
  EXPECT_EQ(nearest_real_point(-kInfinity), 0u);
  EXPECT_EQ(nearest_real_point(1e300), kRealPoints - 1);
  EXPECT_EQ(nearest_real_point(-1e-300), kRealZero);
  EXPECT_EQ(nearest_real_point(std::numeric_limits<f64>::quiet_NaN()), kRealOne);
  EXPECT_EQ(number_at(nearest_real_point(M_PI)), 3.1415927);
}

TEST(RealPoints, DrawsAreOrdinaryNumbers) {
  u32 below = 0;
  for (u32 k = 0; k < 1000; ++k) {
    const f64 number = number_at(real_point_at(k / 1000.0));
    EXPECT_GE(std::abs(number), 0.125);
    EXPECT_LE(std::abs(number), 8.0);
    below += number < 0;
  }
  EXPECT_EQ(below, 500u);
}

constexpr const char* kSketch =
    "pub fn f(x: f64) -> f64 { ?shape[x, ?c(real) * x, ?c(real) + ?(real) * x] + ?[0.0, 1.0, 2.0] "
    "}";

// A number counts as one way, and the name of a variant has it.
TEST(RealHoles, AddNoVariantsAndStandInNames) {
  const TestSketch sketch("pub fn f(x: f64) -> f64 { ?[x, ?(real) * x, sin(x)] + ?[0.0, 1.0] }");
  EXPECT_TRUE(sketch.plan.has_reals());
  EXPECT_EQ(sketch.count(), 6u);
  Decisions decisions;
  EXPECT_FALSE(read_variant_name(sketch.plan, "#3", decisions));
  EXPECT_EQ(variant_name(sketch.plan, decisions), "#[1,1.0,1]");
  EXPECT_EQ(sketch.filled(decisions), "pub fn f(x: f64) -> f64 { 1.0 * x + 1.0 }");
  EXPECT_FALSE(read_variant_name(sketch.plan, "#[1,-0.25e1,0]", decisions));
  EXPECT_EQ(variant_name(sketch.plan, decisions), "#[1,-2.5,0]");
  EXPECT_EQ(sketch.filled(decisions), "pub fn f(x: f64) -> f64 { -2.5 * x + 0.0 }");
  // A whole number is that number.
  EXPECT_FALSE(read_variant_name(sketch.plan, "[1,3,1]", decisions));
  EXPECT_EQ(variant_name(sketch.plan, decisions), "#[1,3.0,1]");
  EXPECT_FALSE(sketch.plan.rank(decisions));
  for (const char* const wrong :
       {"#6", "#[1]", "#[1,x,0]", "#[1,inf,0]", "#[1,nan,0]", "#[0,2.5]", "#[1,1.0,0.5]"})
    EXPECT_TRUE(read_variant_name(sketch.plan, wrong, decisions)) << wrong;
}

// Whatever is drawn can be written and read.
TEST(RealHoles, NamesAreReadAsTheyAreWritten) {
  const TestSketch sketch(kSketch);
  u64 state = 1;
  const auto random = [&] { return random_number(9, state++); };
  for (u32 k = 0; k < 1000; ++k) {
    Decisions decisions, again;
    ASSERT_TRUE(
        sketch.plan.draw(k % 2 == 0 ? DrawKind::Ways : DrawKind::Variants, random, decisions));
    const std::string name = variant_name(sketch.plan, decisions);
    ASSERT_FALSE(read_variant_name(sketch.plan, name, again)) << name;
    ASSERT_EQ(again, decisions) << name;
  }
}

TEST(RealHoles, HaveTheTypeOfTheirSurroundings) {
  const auto type_of = [](const char* text) {
    const auto program = read_sketch(text, {});
    return program ? program->plan.sketch().holes[0].type : std::string("none");
  };
  EXPECT_EQ(type_of("fn f(x: f32) -> f32 { x * ?(real) }"), "f32");
  EXPECT_EQ(type_of("fn f(x: f64) -> f64 { x * ?c(real) }"), "f64");
  EXPECT_EQ(type_of("fn f() -> f64 { let c = ?c(real); c }"), "f64");
  EXPECT_EQ(type_of("fn f(n: i64) -> i64 { n * ?c(real) }"), "none");
  EXPECT_EQ(type_of("fn f(x: f64) -> f64 { ?c(real) + ?c(0.0..1.0, steps: 3) }"), "none");
  // A variable of this name is an argument in parentheses.
  EXPECT_EQ(type_of("fn f(real: f64) -> f64 { ?s((real)) }\nspace s(x: f64) -> f64 depth 0 { x }"),
            "f64");
}

}  // namespace
}  // namespace komuz::engine
