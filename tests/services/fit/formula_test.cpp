// SPDX-License-Identifier: Apache-2.0
#include "services/fit/formula.h"

#include <gtest/gtest.h>

#include "services/fit/formula_numbers.h"
#include "services/simplify/simplify.h"

namespace komuz::services::test {
namespace {

TEST(Formula, IsTheBodyOfTheOnlyFunction) {
  EXPECT_EQ(formula_text("// About it.\npub fn y(x: f64) -> f64 { 2.0 * x }\n"), "2.0 * x");
  // A column may have the name that other languages have for a constant.
  EXPECT_EQ(formula_text("pub fn y(pi: f64) -> f64 { 2.0 * pi }\n"), "2.0 * pi");
  EXPECT_EQ(formula_text("pub fn y(x: f64) -> f64 {\n    let s = x + 1.0;\n    s * s\n}\n"),
            "let s = x + 1.0; s * s");
  EXPECT_EQ(formula_text("pub fn y(x: f64) -> f64 {\n    2.0 * cos(\n        x + 1.0,\n    )\n}\n"),
            "2.0 * cos(x + 1.0)");
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
  EXPECT_EQ(with_numbers(program, numbers, values),
            "pub fn y(x: f64) -> f64 { -2.0 * x ** 2 + (-4.0) - 8.0 }");
}

TEST(Formula, HasTheParametersThatItNames) {
  EXPECT_EQ(with_used_parameters("pub fn y(a: f64, b: f64, c: f64) -> f64 { 2.0 * b }\n"),
            "pub fn y(b: f64) -> f64 { 2.0 * b }\n");
  EXPECT_EQ(with_used_parameters("pub fn y(a: f64, b: f64) -> f64 { b / a }\n"),
            "pub fn y(a: f64, b: f64) -> f64 { b / a }\n");
  // Cases need something to run on.
  EXPECT_EQ(with_used_parameters("pub fn y(a: f64, b: f64) -> f64 { 2.0 }\n"),
            "pub fn y(a: f64) -> f64 { 2.0 }\n");
  // The head of a function with many inputs takes several lines.
  std::string head, call;
  for (u32 k = 0; k < 20; ++k)
    head += (k == 0 ? "\n    " : ",\n    ") + std::string("input_number_") + std::to_string(k) +
            ": f64";
  EXPECT_EQ(with_used_parameters("pub fn y(" + head + ",\n) -> f64 { input_number_7 + 1.0 }\n"),
            "pub fn y(input_number_7: f64) -> f64 { input_number_7 + 1.0 }\n");
}

// What numbers that have been fitted become.
std::string to_rounding(const std::string& body) {
  const std::string program = "pub fn f(x: f64, y: f64) -> f64 { " + body + " }\n";
  return formula_text(simplified_text(program, nullptr, Exactness::ToRounding));
}

TEST(SimplifyToRounding, NumbersThatDoOneThingBecomeOne) {
  EXPECT_EQ(to_rounding("2.0 * x * 4.0"), "8.0 * x");
  EXPECT_EQ(to_rounding("sqrt(x) / sqrt(y) * 4.0 * -2.0 * -0.5"), "sqrt(x) / sqrt(y) * 4.0");
  EXPECT_EQ(to_rounding("1.0 + x + 2.0 + y"), "x + y + 3.0");
  EXPECT_EQ(to_rounding("2.0 * (0.5 * x + 4.0 * y) + 1.0"), "x + 8.0 * y + 1.0");
  EXPECT_EQ(to_rounding("exp(x + 0.0) * sin(0.0)"), "0.0");
  EXPECT_EQ(to_rounding("x / 0.5 / 0.5"), "4.0 * x");
  EXPECT_EQ(to_rounding("x - x + y"), "y");
  EXPECT_EQ(to_rounding("log(exp(x))"), "x");
  EXPECT_EQ(to_rounding("x + x"), "2.0 * x");
  // However deep they nest.
  EXPECT_EQ(to_rounding("(y + x / exp(y) * 4.0 - (y - x - x)) * 0.75 + 1.0"),
            "x / exp(y) * 3.0 + 1.5 * x + 1.0");
  EXPECT_EQ(to_rounding("x / 0.25 - 0.5 * x"), "3.5 * x");
  EXPECT_EQ(to_rounding("-x - 2.0 - (3.0 - y)"), "y - x - 5.0");
  EXPECT_EQ(to_rounding("x * y / x * 2.0"), "2.0 * y");
  EXPECT_EQ(to_rounding("0.1 * x + 0.2 * x - 0.3 * x"), "0.0");
}

// To the bit nothing of this is done.
TEST(SimplifyToRounding, IsNotWhatOthersGet) {
  const std::string program = "pub fn f(x: f64) -> f64 { 3.0 * x * 7.0 }\n";
  EXPECT_EQ(formula_text(simplified_text(program)), "3.0 * x * 7.0");
}

}  // namespace
}  // namespace komuz::services::test
