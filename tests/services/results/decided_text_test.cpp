// SPDX-License-Identifier: Apache-2.0
#include "services/results/decided_text.h"

#include <gtest/gtest.h>

namespace komuz::services {
namespace {

TEST(DecidedText, ParametersAreTheNamesThatTheyStandFor) {
  EXPECT_EQ(shown_on_one_line("({ let b: f64 = R; b * 2.0 })"), "R * 2.0");
  EXPECT_EQ(shown_on_one_line("({ let (a, b): (f64, f64) = (R, x); a * b + a })"), "R * x + R");
  EXPECT_EQ(shown_on_one_line("x + ({ let b: f64 = R; b * 2.0 })"), "x + (R * 2.0)");
  EXPECT_EQ(shown_on_one_line("let b: f64 = R; b * 2.0"), "R * 2.0");
  // Something else is bound, or a name means something else.
  EXPECT_EQ(shown_on_one_line("({ let b: f64 = R + 1.0; b * b })"),
            "({ let b: f64 = R + 1.0; b * b })");
  EXPECT_EQ(shown_on_one_line("({ let b: f64 = R; let R = 2.0; b * R })"),
            "({ let b: f64 = R; let R = 2.0; b * R })");
  EXPECT_EQ(shown_on_one_line("({ let b: f64 = R; let b = b * b; b })"),
            "({ let b: f64 = R; let b = b * b; b })");
}

TEST(DecidedText, ParenthesesThatOnlyGroupGo) {
  EXPECT_EQ(shown_on_one_line("((0.5))"), "0.5");
  EXPECT_EQ(shown_on_one_line("x * ((0.5))"), "x * 0.5");
  EXPECT_EQ(shown_on_one_line("((a + b)) * c"), "(a + b) * c");
  EXPECT_EQ(shown_on_one_line("(a + b) * (c)"), "(a + b) * c");
  // Tuples and arguments stay.
  EXPECT_EQ(shown_on_one_line("(a, b)"), "(a, b)");
  EXPECT_EQ(shown_on_one_line("f((a, b))"), "f((a, b))");
  EXPECT_EQ(shown_on_one_line("f((a))"), "f(a)");
  EXPECT_EQ(shown_on_one_line("()"), "()");
  // Texts that are cut off.
  EXPECT_EQ(shown_on_one_line("((a + b"), "((a + b");
}

}  // namespace
}  // namespace komuz::services
