// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/fewer_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "services/fit/formula.h"

namespace komuz::services::test {
namespace {

std::vector<std::string> texts_of(const std::string& body) {
  std::vector<std::string> out;
  for (const std::string& program :
       with_fewer_numbers("pub fn y(x: f64, z: f64) -> f64 { " + body + " }\n"))
    out.push_back(formula_text(program));
  return out;
}
using Texts = std::vector<std::string>;

TEST(FewerNumbers, AFactorIsMultipliedIntoNumbersNearIt) {
  EXPECT_EQ(texts_of("100.0 / (0.5 + 4.0 * x)"),
            (Texts{"25.0 / (0.125 + x)", "25.0 / x", "200.0"}));
  EXPECT_EQ(texts_of("(1.0 - 0.5 * x) * 3.0"),
            (Texts{"(2.0 - x) * 1.5", "-1.5 * x", "3.0", "3.0 - 1.5 * x"}));
}

// Of a sum within a product, one summand loses its number.
TEST(FewerNumbers, AFactorStaysBeforeAProductWithASum) {
  EXPECT_EQ(texts_of("(1.0 - 0.5 * x) * z * 3.0"),
            (Texts{"(2.0 - x) * z * 1.5", "x * z * -1.5", "3.0 * z"}));
  EXPECT_EQ(texts_of("x / (8.0 + 4.0 * x) * 3.0"),
            (Texts{"x / (2.0 + x) * 0.75", "0.75", "0.375 * x"}));
}

TEST(FewerNumbers, AFactorThatNoNumberTakesGoesAllTheSame) {
  EXPECT_EQ(texts_of("exp(2.0 * x)"), (Texts{"exp(x)"}));
  EXPECT_EQ(texts_of("2.0 * x + z"), (Texts{"x + z", "z"}));
}

TEST(FewerNumbers, SummandsWithANumberOfTheirOwnGo) {
  EXPECT_EQ(texts_of("x * z - 2.0"), (Texts{"x * z"}));
  EXPECT_EQ(texts_of("2.0 - x * z"), (Texts{"-x * z"}));
  EXPECT_EQ(texts_of("sqrt(x + 0.5 * z)"), (Texts{"sqrt(x + z)", "sqrt(x)"}));
  EXPECT_TRUE(texts_of("x + z").empty());
}

TEST(FewerNumbers, AQuotientOfANameAndASumWithItNeedsItOnce) {
  const Texts texts = texts_of("x / (x + 2.0) * 3.0 + 1.0");
  EXPECT_NE(std::ranges::find(texts, "3.0 / (x + 2.0) + 1.0"), texts.end());
  EXPECT_EQ(texts_of("x / (z + 2.0)"), (Texts{"x / z"}));
}

TEST(FewerNumbers, AQuotientWithAnInterceptIsTriedThroughZero) {
  for (const char* const body : {"3.0 - 2.0 / (x + 0.5)", "-2.0 / (x + 0.5) + 3.0"}) {
    const Texts texts = texts_of(body);
    EXPECT_NE(std::ranges::find(texts, "x / (x + 0.5) * 3.0"), texts.end()) << body;
  }
}

TEST(FewerNumbers, WhatDoesNotCompileHasNone) {
  EXPECT_TRUE(with_fewer_numbers("pub fn y(x: f64) -> f64 { x + }").empty());
}

}  // namespace
}  // namespace komuz::services::test
