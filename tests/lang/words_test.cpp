// SPDX-License-Identifier: Apache-2.0
// The scanners that edits of a source use.
#include "mend/source_text.h"

#include <gtest/gtest.h>

namespace komuz {
namespace {

constexpr size_t kNone = std::string_view::npos;

TEST(Words, WhatIsTrimmedLiesInItsText) {
  for (const std::string_view text :
       {std::string_view(" \n"), std::string_view("\ta "), std::string_view("")})
    EXPECT_TRUE(trimmed(text).data() >= text.data() &&
                trimmed(text).data() <= text.data() + text.size());
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(" a b\n"), "a b");
}

TEST(Words, SignsAreSoughtOutsideOfBracketsAndQuotes) {
  EXPECT_EQ(find_outside("f(a;b)[;] ';' \";\" ; c", ";"), 18u);
  EXPECT_EQ(find_outside("xs[0..2]", ".."), kNone);
  EXPECT_EQ(find_outside("1..2", ".."), 1u);
  EXPECT_EQ(find_outside("(1..2", ".."), kNone);
}

TEST(Words, BracketsCloseOutsideOfStrings) {
  EXPECT_EQ(closing_bracket("f(a[0], \")\", ')')", 1), 16u);
  EXPECT_EQ(closing_bracket("(a\n)", 0), kNone);
  EXPECT_EQ(closing_bracket("(a", 0), kNone);
  EXPECT_EQ(closing_bracket("(\"a)", 0), kNone);
}

TEST(Words, BracketsOfLinesCloseBeforeAComment) {
  EXPECT_EQ(closing_bracket_of_lines("{\n  a(\"}\");\n}", 0), 12u);
  EXPECT_EQ(closing_bracket_of_lines("{\n  a // }\n}", 0), kNone);
  EXPECT_EQ(closing_bracket_of_lines("{ { }", 0), kNone);
}

TEST(Words, ACallEndsWithItsParentheses) {
  EXPECT_EQ(end_of_call("max(a, (b)) + 1", 3), 10u);
  EXPECT_EQ(end_of_call("max + 1", 3), kNone);
  EXPECT_EQ(end_of_call("max", 3), kNone);
}

TEST(Words, AnOperandStartsBeforeItsNamesCallsAndIndices) {
  const auto operand = [](std::string_view text) {
    return text.substr(operand_start(text, static_cast<u32>(text.size())));
  };
  EXPECT_EQ(operand("let y = xs.get(n + 1)"), "xs.get(n + 1)");
  EXPECT_EQ(operand("a + b[c(d)[0]].e"), "b[c(d)[0]].e");
  EXPECT_EQ(operand("f(x"), "x");
  EXPECT_EQ(operand("x"), "x");
  EXPECT_EQ(operand("a\nb"), "b");
  EXPECT_EQ(operand("a\n[1, 2][0]"), "[1, 2][0]");
  EXPECT_EQ(operand("k = a.f(1,\n 2)\n  .g()"), "a.f(1,\n 2)\n  .g()");
  EXPECT_EQ(operand("0..n"), "n");
  EXPECT_EQ(operand(""), "");
}

TEST(Words, WordsAreCountedWhole) {
  EXPECT_EQ(count_word("it + its + it.x + a.it + it", "it"), 3u);
  EXPECT_TRUE(has_word("return", "return"));
  EXPECT_FALSE(has_word("returns", "return"));
  EXPECT_FALSE(has_word("", "it"));
}

}  // namespace
}  // namespace komuz
