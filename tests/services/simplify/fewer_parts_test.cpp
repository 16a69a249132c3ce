// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/fewer_parts.h"

#include <gtest/gtest.h>

#include "services/fit/formula.h"

namespace komuz::services::test {
namespace {

std::vector<std::string> cuts_of(const std::string& body) {
  std::vector<std::string> out;
  for (const std::string& program :
       with_fewer_parts("pub fn y(x: f64, z: f64) -> f64 { " + body + " }\n"))
    out.push_back(formula_text(program));
  return out;
}
using Texts = std::vector<std::string>;

TEST(FewerParts, EitherOperandGoes) {
  EXPECT_EQ(cuts_of("x + z"), (Texts{"x", "z"}));
  EXPECT_EQ(cuts_of("x - z"), (Texts{"x", "-z"}));
  EXPECT_EQ(cuts_of("x * z"), (Texts{"x", "z"}));
  EXPECT_EQ(cuts_of("x / z"), (Texts{"x", "1.0 / z"}));
}

TEST(FewerParts, AFunctionGoesAndItsArgumentStays) {
  EXPECT_EQ(cuts_of("tanh(x)"), (Texts{"x"}));
  EXPECT_EQ(cuts_of("x ** 2"), (Texts{"x"}));
  EXPECT_EQ(cuts_of("x / tanh(0.5 * z)"),
            (Texts{"x / 0.46211715726000974", "x / z * 2.0", "x", "1.0 / tanh(0.5 * z)"}));
}

// These are for fewer_numbers.h, which passes on what they were.
TEST(FewerParts, NumbersStay) {
  EXPECT_EQ(cuts_of("2.0 * x"), (Texts{"2.0"}));
  EXPECT_EQ(cuts_of("2.0 + x"), (Texts{"2.0"}));
  EXPECT_TRUE(cuts_of("x").empty());
}

TEST(FewerParts, AFunctionOfSeveralArgumentsStays) { EXPECT_TRUE(cuts_of("min(x, z)").empty()); }

TEST(FewerParts, AProgramThatDoesNotCompileHasNone) { EXPECT_TRUE(cuts_of("x +").empty()); }

}  // namespace
}  // namespace komuz::services::test
