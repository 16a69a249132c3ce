// SPDX-License-Identifier: Apache-2.0
#include "services/render.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mend/mend.h"
#include "services/display_text.h"

namespace komuz::services {
namespace {

constexpr RenderStyle kPlain = {.colors = false, .width = 80};

TEST(Render, ADiagnosticHasPlaceCodeMessageAndLine) {
  const std::string source = "fn f(x: i64) -> i64 {\n    x + 1;\n    x\n}\n";
  const Diagnostic d = make_diagnostic(DiagnosticCode::UnusedValue, 26, 5);
  EXPECT_EQ(render_diagnostic(d, {"a.komuz", source}, kPlain),
            "a.komuz:2:5: error[K0306]: value is not used\n"
            "  2 |     x + 1;\n"
            "    |     ^~~~~\n");
}

TEST(Render, AFixIsASuggestion) {
  const std::string source = "fn f() -> i64 {\n    let mut x = 1;\n    x\n}\n";
  const u32 at = static_cast<u32>(source.find("let mut"));
  const Diagnostic d = make_diagnostic(DiagnosticCode::LetMut, at, 7);
  const std::string text = render_diagnostic(d, {"a.komuz", source}, kPlain);
  const auto edit = diagnostic_fix(d, source);
  ASSERT_TRUE(edit.has_value());
  EXPECT_NE(text.find("\n  fix: "), std::string::npos) << text;
  EXPECT_NE(text.find("var"), std::string::npos) << text;
}

TEST(Render, LinesThatAreWrittenAnewAreCounted) {
  const auto text_of = [](DiagnosticCode code, std::string_view at, const std::string& source,
                          u32 a = 0, u32 b = 0) {
    const u32 begin = static_cast<u32>(source.find(at));
    const Diagnostic d = make_diagnostic(code, begin, static_cast<u32>(at.size()), a, b);
    return render_diagnostic(d, {"a.komuz", source}, kPlain);
  };
  const std::string source = "fn f(n: i64) -> i64 {\n    k\n    where\n        k = n\n}\n";
  const std::string one =
      text_of(DiagnosticCode::WordOperator, "where", source, static_cast<u32>(source.find('k')),
              static_cast<u32>(source.find('}')));
  EXPECT_NE(one.find("\n  fix: rewrite 3 lines as `let k = n; k`\n"), std::string::npos) << one;
  const std::string several =
      text_of(DiagnosticCode::ColonBlock, ":\n",
              "fn f() -> i64 {\n    var k = 9\n    while k > 0:\n        k -= 1\n    k\n}\n");
  EXPECT_NE(several.find("\n  fix: rewrite 2 lines, from ` {` to `    }`\n"), std::string::npos)
      << several;
}

TEST(Render, SentencesAreWrappedWhereAStyleSaysSo) {
  const std::string source = "fn f(x: i64) -> i64 {\n    x + 1;\n    x\n}\n";
  const Diagnostic d = make_diagnostic(DiagnosticCode::UnusedValue, 26, 5);
  EXPECT_EQ(render_diagnostic(d, {"a.komuz", source}, {.width = 40, .wraps = true}),
            "a.komuz:2:5: error[K0306]: value is not\n"
            "used\n"
            "  2 |     x + 1;\n"
            "    |     ^~~~~\n");
}

// Lines that have been broken before are not broken again in their midst.
TEST(Wrapped, ParagraphsAreFilledAnew) {
  EXPECT_EQ(wrapped_paragraphs(
                "error K1\n\none two three four five\nsix seven\n\nWrong:\n    a b\n    c\n", 20),
            "error K1\n\none two three four\nfive six seven\n\nWrong:\n    a b\n    c\n");
  EXPECT_EQ(wrapped_paragraphs("text that\n>>> f(1)\n>>> f(2)\nis\nmore", 20),
            "text that\n>>> f(1)\n>>> f(2)\nis more");
  EXPECT_EQ(wrapped_paragraphs("- one\n- two\n", 20), "- one\n- two\n");
  EXPECT_EQ(wrapped_paragraphs("", 20), "");
}

TEST(Wrapped, LinesAreBrokenAtBlanks) {
  EXPECT_EQ(wrapped("one two three four five six\n", 20), "one two three four\nfive six\n");
  EXPECT_EQ(wrapped("a line of 20 columns\nend", 20), "a line of 20 columns\nend");
  EXPECT_EQ(wrapped("a line and a blank   \n", 20), "a line and a blank   \n");
  EXPECT_EQ(wrapped("  :load FILE   take the text\n", 24), "  :load FILE   take the\n    text\n");
  EXPECT_EQ(wrapped("wörter, die länger sind", 20), "wörter, die länger\nsind");
  EXPECT_EQ(wrapped("one_word_that_is_too_long to break", 20),
            "one_word_that_is_too_long\nto break");
  EXPECT_EQ(wrapped("\x1b[1;31mred\x1b[0m words take no more", 20),
            "\x1b[1;31mred\x1b[0m words take no\nmore");
  EXPECT_EQ(wrapped("nothing is wrapped here", 12), "nothing is wrapped here");
}

TEST(Render, JsonHasTheFieldsThatEditorsAskFor) {
  const std::string source = "fn f(x: i64) -> i64 {\n    x + 1;\n    x\n}\n";
  const Diagnostic d = make_diagnostic(DiagnosticCode::UnusedValue, 26, 5);
  EXPECT_EQ(diagnostic_json(d, {"a.komuz", source}).dump(),
            R"({"file":"a.komuz","line":2,"column":5,"end_line":2,"end_column":10,"code":"K0306",)"
            R"("severity":"error","message":"value is not used","fix":null})");
}

TEST(Render, ATrapShowsItsToken) {
  const std::string source = "fn f(a: i64) -> i64 { 1 / a }";
  EXPECT_EQ(
      render_trap({.trap = Trap::DivZero, .function = "f", .place = 24, .depth = 1, .fuel = 7},
                  {"a.komuz", source}, kPlain),
      "a.komuz:1:25: trap DIV_ZERO: division by zero\n"
      "  1 | fn f(a: i64) -> i64 { 1 / a }\n"
      "    |                         ^\n"
      "  in `f`, 1 frame deep, after 7 ticks\n");
}

TEST(Render, ATrapOfBytecodeHasNoLine) {
  EXPECT_EQ(render_trap({.trap = Trap::Fuel, .function = "g", .place = 24, .depth = 2, .fuel = 1},
                        {"a.kbc", ""}, kPlain),
            "a.kbc: trap FUEL: the step budget is used up\n"
            "  in `g` at byte 24 of its source, 2 frames deep, after 1 tick\n");
}

}  // namespace
}  // namespace komuz::services
