// SPDX-License-Identifier: Apache-2.0
#include "services/fit/formula.h"

#include <gtest/gtest.h>

#include "services/fit/formula_numbers.h"
#include "services/simplify/simplify.h"

namespace komuz::services::test {
namespace {

TEST(Formula, IsTheBodyOfTheOnlyFunction) {
  EXPECT_EQ(formula_text("// About it.\npub fn y(x: f64) -> f64 { 2.0 * x }\n"), "2.0 * x");
  EXPECT_EQ(formula_text("pub fn y(x: f64) -> f64 {\n    let s = x + 1.0;\n    s * s\n}\n"), "let s = x + 1.0; s * s");
}

TEST(Formula, SizesCountVariablesNumbersOperatorsAndCalls) {
  EXPECT_EQ(formula_size("x"), 1u);
  EXPECT_EQ(formula_size("2.0 * x"), 3u);
  EXPECT_EQ(formula_size("exp(x)"), 2u);
  EXPECT_EQ(formula_size("(x + 1.0) / (x - 1.0)"), 7u);
  EXPECT_EQ(formula_size("x ** 2"), 3u);
  // The sign of a number belongs to it; that of anything else is an operator.
  EXPECT_EQ(formula_size("-1.5 * x"), 3u);
  EXPECT_EQ(formula_size("-x"), 2u);
  EXPECT_EQ(formula_size("x - 1.5"), 3u);
  EXPECT_EQ(formula_size("min(x, y)"), 3u);
}

TEST(FormulaNumbers, AreThoseWithAFraction) {
  const std::string program = "pub fn y(x: f64) -> f64 { -1.5 * x ** 2 + 3e-5 - 0.25 }";
  const std::vector<FormulaNumber> numbers = numbers_of(program);
  ASSERT_EQ(numbers.size(), 3u);
  EXPECT_TRUE(numbers[0].is_negative);
  EXPECT_EQ(numbers[0].value, 1.5);
  EXPECT_EQ(numbers[1].value, 3e-5);
  EXPECT_FALSE(numbers[2].is_negative);
  const std::vector<f64> values = {2, -4, 8};
  EXPECT_EQ(with_numbers(program, numbers, values), "pub fn y(x: f64) -> f64 { -2.0 * x ** 2 + (-4.0) - 8.0 }");
}

// What numbers that have been fitted become.
std::string to_rounding(const std::string& body) {
  const std::string program = "pub fn f(x: f64, y: f64) -> f64 { " + body + " }\n";
  return formula_text(simplified_text(program, nullptr, Exactness::ToRounding));
}

TEST(SimplifyToRounding, NumbersThatDoOneThingBecomeOne) {
  EXPECT_EQ(to_rounding("2.0 * x * 4.0"), "x * 8.0");
  EXPECT_EQ(to_rounding("sqrt(x) / sqrt(y) * 4.0 * -2.0 * -0.5"), "sqrt(x) / sqrt(y) * 4.0");
  EXPECT_EQ(to_rounding("1.0 + x + 2.0 + y"), "x + y + 3.0");
  EXPECT_EQ(to_rounding("2.0 * (0.5 * x + 4.0 * y) + 1.0"), "x + 8.0 * y + 1.0");
  EXPECT_EQ(to_rounding("exp(x + 0.0) * sin(0.0)"), "0.0");
  EXPECT_EQ(to_rounding("x / 0.5 / 0.5"), "x * 4.0");
  EXPECT_EQ(to_rounding("x - x + y"), "y");
  EXPECT_EQ(to_rounding("log(exp(x))"), "x");
  EXPECT_EQ(to_rounding("x + x"), "x * 2.0");
}

// To the bit nothing of this is done.
TEST(SimplifyToRounding, IsNotWhatOthersGet) {
  const std::string program = "pub fn f(x: f64) -> f64 { 3.0 * x * 7.0 }\n";
  EXPECT_EQ(formula_text(simplified_text(program)), "3.0 * x * 7.0");
}

}  // namespace
}  // namespace komuz::services::test
