// SPDX-License-Identifier: Apache-2.0
#include "services/excerpt.h"

#include <gtest/gtest.h>

#include "services/display_text.h"

namespace komuz::services {
namespace {

std::string plain_excerpt(std::string_view source, u32 begin, u32 end, u32 width = 100) {
  return excerpt(source, begin, end, {}, {.colors = false, .width = width});
}

TEST(Excerpt, MarksASpanOfItsLine) {
  EXPECT_EQ(plain_excerpt("fn f\nlet y = x + 1.0;\n", 13, 20),
            "  2 | let y = x + 1.0;\n"
            "    |         ^~~~~~~\n");
}

TEST(Excerpt, MarksOneCharacterWithOneCaret) {
  EXPECT_EQ(plain_excerpt("a / b", 2, 3), "  1 | a / b\n    |   ^\n");
}

TEST(Excerpt, TabsAreBlanksUpToTheNextStop) {
  EXPECT_EQ(plain_excerpt("\tx\t+ 1", 3, 4),
            "  1 |     x   + 1\n"
            "    |         ^\n");
}

TEST(Excerpt, WideAndCombiningCharactersKeepTheCaretBelowThePlace) {
  EXPECT_EQ(plain_excerpt("// é 漢 e\u0301 x", 14, 15),
            "  1 | // é 漢 e\u0301 x\n"
            "    |           ^\n");
}

TEST(Excerpt, ASpanOfSeveralLinesIsMarkedOnTheFirst) {
  EXPECT_EQ(plain_excerpt("f {\n  1\n}\n", 2, 9),
            "  1 | f {\n"
            "    |   ^ to line 3\n");
}

TEST(Excerpt, TheEndOfTheTextIsBehindItsLastLine) {
  EXPECT_EQ(plain_excerpt("fn f(\n", 6, 6), "  1 | fn f(\n    |      ^\n");
  EXPECT_EQ(plain_excerpt("fn f(", 5, 5), "  1 | fn f(\n    |      ^\n");
  EXPECT_EQ(plain_excerpt("", 0, 0), "  1 |\n    | ^\n");
}

TEST(Excerpt, CarriageReturnsAreNotShown) {
  EXPECT_EQ(plain_excerpt("a b\r\nc\r\n", 2, 3), "  1 | a b\n    |   ^\n");
}

TEST(Excerpt, LongLinesAreCutAroundThePlace) {
  const std::string source = std::string(50'000, 'a') + "HERE" + std::string(50'000, 'b');
  const std::string text = plain_excerpt(source, 50'000, 50'004, 60);
  EXPECT_LT(text.size(), 200u);
  const size_t line_end = text.find('\n');
  const std::string marks = text.substr(line_end + 1);
  EXPECT_EQ(text.find("…a"), 6u);
  EXPECT_NE(text.find("b…"), std::string::npos);
  // The ellipsis is three bytes in one column.
  EXPECT_EQ(text.find("HERE") - 2, marks.find('^'));
  EXPECT_NE(marks.find("^~~~\n"), std::string::npos);
}

TEST(Excerpt, CutsNoCharacterInTwo) {
  std::string source;
  for (int i = 0; i < 1000; ++i) source += "é";
  for (u32 at = 0; at < source.size(); at += 2) {
    const std::string text = plain_excerpt(source, at, at + 2, 41);
    EXPECT_EQ(text.find("\xEF\xBF\xBD"), std::string::npos) << at;
  }
}

TEST(Excerpt, PlacesOutsideTheTextAreBroughtInside) {
  EXPECT_EQ(plain_excerpt("ab", 90, 99), plain_excerpt("ab", 2, 2));
}

TEST(Excerpt, ColoursOnlyOnRequest) {
  EXPECT_EQ(plain_excerpt("a / b", 2, 3).find('\x1b'), std::string::npos);
  const std::string colored = excerpt("a / b", 2, 3, "\x1b[31m", {.colors = true, .width = 80});
  EXPECT_NE(colored.find("\x1b[31m^\x1b[0m"), std::string::npos);
}

TEST(TokenEnd, WordsOperatorsAndEnds) {
  EXPECT_EQ(token_end("abc1 + 2", 0), 4u);
  EXPECT_EQ(token_end("a +%= b", 2), 5u);
  EXPECT_EQ(token_end("a*-b", 1), 2u);
  EXPECT_EQ(token_end("f(x)", 1), 2u);
  EXPECT_EQ(token_end("ab", 2), 2u);
}

TEST(Printable, NothingCanSteerATerminal) {
  EXPECT_EQ(printable("a\x1b[2J\r\n"), "a\uFFFD[2J\uFFFD\uFFFD");
  EXPECT_EQ(printable("\u202Eevil"), "\uFFFDevil");
  EXPECT_EQ(printable("bad \xFF\xC0\x80 utf"), "bad \uFFFD\uFFFD\uFFFD utf");
  EXPECT_EQ(printable("漢字 é"), "漢字 é");
}

TEST(Printable, LongTextsAreCut) {
  EXPECT_EQ(printable(std::string(50, 'x'), 10), std::string(10, 'x') + "…");
  EXPECT_EQ(printable("漢字", 3), "漢…");
  EXPECT_EQ(fitted_at_both_ends("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(fitted_at_both_ends("abcdefghijk", 10), "abcde…hijk");
  EXPECT_EQ(fitted_at_both_ends("漢字漢字漢", 7), "漢…漢");
  EXPECT_EQ(fitted_at_both_ends("abcde\u0301fgh", 6), "abc…gh");
  EXPECT_EQ(fitted_at_both_ends("abcdef\u0301gh", 6), "abc…gh");
}

}  // namespace
}  // namespace komuz::services
