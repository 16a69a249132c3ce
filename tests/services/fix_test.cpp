// SPDX-License-Identifier: Apache-2.0
#include "services/apply_edits.h"

#include <gtest/gtest.h>

namespace komuz::services {
namespace {

Fixed fixed(std::string_view source, FixKind kind = FixKind::All) {
  frontend::Compiler compiler({.examples = true});
  return fix_source(compiler, source, kind);
}

TEST(Fix, TakesAsManyRoundsAsThereAreErrorsBehindErrors) {
  const Fixed result = fixed("def f(n: int) -> float { let mut x = float(n) and x }\n");
  EXPECT_EQ(result.text, "fn f(n: i64) -> f64 { var x = f64(n) && x }\n");
  EXPECT_EQ(result.fixes.size(), 6u);
}

// More than the rounds come to, with as many as are told in each.
TEST(Fix, MendsMoreErrorsThanAreTold) {
  std::string source = "test \"many\" {\n", wanted = source;
  for (int k = 0; k < 6000; ++k) {
    source += "assert 1 == 1, \"one\";\n";
    wanted += "assert 1 == 1;\n";
  }
  const Fixed result = fixed(source + "}\n");
  EXPECT_EQ(result.text, wanted + "}\n");
  ASSERT_EQ(result.fixes.size(), 6000u);
  EXPECT_EQ(result.fixes[0].line, 2u);
  EXPECT_EQ(result.fixes[5999].line, 6001u);
}

// Of names that nobody knows a compilation tells some only; what else is wrong is told.
TEST(Fix, WhatHasNoEditDoesNotHideTheRest) {
  std::string source = "fn f(x: f64, n: i64) -> f64 {\n";
  for (int k = 0; k < 200; ++k) source += "let a = unheard_of;\n";
  const Fixed result = fixed(source + "x / n }\n");
  EXPECT_EQ(result.text, source + "x / f64(n) }\n");
}
TEST(Fix, NamesByTheThousandDoNotHideTheRest) {
  std::string source = "fn f() -> i64 {\n";
  for (int k = 0; k < 2000; ++k) source += "let a = unheard_of;\n";
  const Fixed result = fixed(source + "let n = 1; let u: f64 = n; 1 }\n");
  EXPECT_EQ(result.text, source + "let n = 1; let u: f64 = f64(n); 1 }\n");
}

TEST(Fix, MendsLongBlocks) {
  const std::string condition = "fn f(o: Option[i64]) -> i64 {\nif let Some(x) = o {\n";
  std::string types = "enum Big { ", wanted = "type Big = ", statements;
  for (int k = 0; k < 3000; ++k) {
    const std::string name = "Entry" + std::to_string(k);
    types += name + (k < 2999 ? ", " : " }\n");
    wanted += name + (k < 2999 ? " | " : ";\n");
    statements += "let a = 1;\n";
  }
  EXPECT_EQ(fixed(types).text, wanted);
  EXPECT_EQ(fixed(condition + statements + "x } else { 0 } }\n").text,
            "fn f(o: Option[i64]) -> i64 {\nmatch o { Some(x) => {\n" + statements +
                "x }, _ => { 0 } } }\n");
}

TEST(Fix, BlanksBeforeAProgramMoveNoEdit) {
  const Fixed result = fixed(
      "\n\n  // above\nfn f(n: i64) -> i64 {\n  k + m\n  where m = n `mod` 3\n}\n"
      "const k: i64 = 1;\n");
  EXPECT_EQ(result.text,
            "\n\n  // above\nfn f(n: i64) -> i64 {\n  let m = mod_floor(n, 3); k + m\n}\n"
            "const k: i64 = 1;\n");
}

TEST(Fix, AStopEndsTheRounds) {
  frontend::Compiler compiler;
  std::stop_source stop;
  stop.request_stop();
  const std::string source = "fn f(x: f64, n: i64) -> f64 { x / n }\n";
  const Fixed result = fix_source(compiler, source, FixKind::All, stop.get_token());
  EXPECT_EQ(result.text, source);
  EXPECT_TRUE(result.fixes.empty());
}

TEST(Fix, SaysWhereAndWhat) {
  const Fixed result = fixed("fn g() -> i64 { 1 }\nfn f(x: f64, n: i64) -> f64 { x / n }\n");
  ASSERT_EQ(result.fixes.size(), 1u);
  EXPECT_EQ(result.fixes[0].line, 2u);
  EXPECT_EQ(result.fixes[0].code, DiagnosticCode::Mismatch);
  EXPECT_EQ(result.fixes[0].message, "expected `f64`, found `i64`; write `f64(n)`");
}

// A `use` moves what other rounds mend.
TEST(Fix, LinesAreThoseOfTheTextThatComesOut) {
  const Fixed result = fixed(
      "fn f(x: f64, n: i64) -> f64 {\n    let mut y = x * n;\n    y += lerp(x, 1.0, 0.5);\n    "
      "y\n}\n"
      "def g(n: int) -> int { n }\n");
  EXPECT_EQ(result.text,
            "use std.math.{lerp};\nfn f(x: f64, n: i64) -> f64 {\n    var y = x * f64(n);\n"
            "    y += lerp(x, 1.0, 0.5);\n    y\n}\nfn g(n: i64) -> i64 { n }\n");
  std::string lines;
  for (const AppliedFix& fix : result.fixes)
    lines += std::to_string(fix.line) + " " + std::string(diagnostic_row(fix.code).code) + "\n";
  EXPECT_EQ(lines, "3 K0125\n3 K0301\n4 K0240\n7 K0127\n7 K0203\n7 K0203\n");
}

// A warning, so tests/mistakes.txt does not list it.
TEST(Fix, AlternativesInSmallLettersGetTheirCapitals) {
  const std::string type = "type Light = Red | Green;\n";
  EXPECT_EQ(fixed(type + "fn f(c: Light) -> i64 { match c { Red => 1, green => 2 } }\n").text,
            type + "fn f(c: Light) -> i64 { match c { Red => 1, Green => 2 } }\n");
  const std::string named =
      type + "fn f(c: Light) -> Light { match c { Red => Green, green => green } }\n";
  EXPECT_EQ(fixed(named).text, named);
}

TEST(Fix, SpellingLeavesTheRest) {
  EXPECT_EQ(fixed("def f(x: float, n: int) -> float { x / n }\n", FixKind::Spelling).text,
            "fn f(x: f64, n: i64) -> f64 { x / n }\n");
}

TEST(Fix, WritesCommentsAsOneWritesThemHere) {
  EXPECT_EQ(
      fixed("# earliest due date\nfn f(n: i64) -> i64 { # it's \"the\n  # use the best { of all\n"
            "  let a = n; # a # b\n  a + 1\n}\n### Done\n#\n#more\n")
          .text,
      "// earliest due date\nfn f(n: i64) -> i64 { // it's \"the\n  // use the best { of all\n"
      "  let a = n; // a # b\n  a + 1\n}\n// Done\n//\n// more\n");
  EXPECT_EQ(fixed("/**\n * Half\n *\n * of x.\n */\nfn f(x: f64 /* 1 */, y: f64) -> f64 {\n"
                  "  /* x\n     and y */ x + y/* b */ /* in */ // c\n} /* end */\n")
                .text,
            "// Half\n//\n// of x.\nfn f(x: f64 , y: f64) -> f64 {\n"
            "  // x\n  // and y\n  x + y // c\n} // end\n");
}

TEST(Fix, LeavesTextThatLooksLikeAComment) {
  const std::string source =
      "// a # b /* c */\nfn f(n: i64) -> i64 {\n  let s = \"# a /* b */ @c\";\n  n\n}\n";
  EXPECT_EQ(fixed(source).text, source);
  // It is not closed.
  const std::string open = "fn f(n: i64) -> i64 { n }\n/* what is left\n";
  EXPECT_EQ(fixed(open).text, open);
  // A set of another language.
  const std::string set = "fn f(n: i64) -> i64 { #{n} }\n";
  EXPECT_EQ(fixed(set).text, set);
}

TEST(Fix, WritesDocstringsAsComments) {
  EXPECT_EQ(
      fixed(
          "fn f(n: i64) -> i64 {\n    \"\"\"Give n.\n\n    It's # \"all\".\n    \"\"\"\n    n\n}\n")
          .text,
      "fn f(n: i64) -> i64 {\n    // Give n.\n    //\n    // It's # \"all\".\n    n\n}\n");
  const std::string open = "fn f(n: i64) -> i64 {\n    \"\"\"Give n.\n    n\n}\n";
  EXPECT_EQ(fixed(open).text, open);
}

TEST(Fix, LeavesOutAttributesOnLinesOfTheirOwn) {
  EXPECT_EQ(fixed("#[inline]\n#[derive(Clone, Debug)] // both\nfn f(n: i64) -> i64 { n }\n"
                  "@njit\n@numba.njit(parallel=True)\nfn g(n: i64) -> i64 { n }\n")
                .text,
            "fn f(n: i64) -> i64 { n }\nfn g(n: i64) -> i64 { n }\n");
}

TEST(Fix, TakesTheOneFencedBlock) {
  const std::string code = "fn f(n: i64) -> i64 { n }\n\nfn g(n: i64) -> i64 { f(n) }";
  EXPECT_EQ(fixed("Here is `f`, which is (much better:\n\n```komuz\n" + code +
                  "\n```\nIt sorts by due date; then by size.\n\n- it's fast\n")
                .text,
            code + "\n");
  EXPECT_EQ(fixed("```\n" + code + "\n```").text, code);
  // The text around it is code.
  EXPECT_EQ(fixed("```\nnotes\n```\n" + code + "\n").text.substr(0, 7), "\nnotes\n");
  // The better one of two is not known.
  const std::string two = "```\n" + code + "\n```\nor else\n```\nfn h() -> i64 { 1 }\n```\n";
  EXPECT_NE(fixed(two).text.find("or else"), std::string::npos);
}

TEST(Fix, LeavesAloneWhatIsRight) {
  const std::string source = "fn f(x: f64) -> f64 { x }\n";
  EXPECT_EQ(fixed(source).text, source);
  EXPECT_TRUE(fixed(source).fixes.empty());
}

TEST(Fix, WordsInCommentsAreNoWords) {
  EXPECT_EQ(fixed("fn f(n: i64) -> i64 // { rec 3\n{ if n > 0 { f(n - 1) } else { 0 } }\n").text,
            "fn f(n: i64) -> i64 // { rec 3\n rec 64{ if n > 0 { f(n - 1) } else { 0 } }\n");
  EXPECT_EQ(fixed("fn f(n: i64) -> i64 // a rec 3\n rec 4 { n }\n").text,
            "fn f(n: i64) -> i64 // a rec 3\n { n }\n");
}

// Here no module is found, so that the names stay unknown.
TEST(Fix, WritesAUseOnce) {
  const std::string source =
      "fn f(x: f64) -> f64 { math.lerp(x, 1.0, 0.5) }\nfn g(x: f64) -> f64 { lerp(x, 1.0, 0.5) }\n";
  EXPECT_EQ(fixed(source).text, "use std.math.{lerp};\nuse std.math;\n" + source);
}

// As Python's doctest has them.
TEST(Fix, MakesOneLineOfAnExampleAndItsValue) {
  const auto with = [](std::string_view example, std::string_view type) {
    return std::string(example) + "fn half(x: " + std::string(type) + ") -> " + std::string(type) +
           " { x / " + (type == "i64" ? "2" : "2.0") + " }\n";
  };
  EXPECT_EQ(fixed(with("/// Half of x.\n/// >>> half(4.0)\n/// 2.0\n", "f64")).text,
            with("/// Half of x.\n/// >>> half(4.0) == 2.0\n", "f64"));
  EXPECT_EQ(fixed(with("/// >>> half(4)\n/// 2\n/// >>> half(6)\n/// -3\n", "i64")).text,
            with("/// >>> half(4) == 2\n/// >>> half(6) == -3\n", "i64"));
  // What follows is a sentence, or nothing.
  for (const std::string_view next : {"/// Half of it.\n", "/// 2 is half of it\n", "///\n", ""}) {
    const std::string text = with("/// >>> half(4.0)\n" + std::string(next), "f64");
    EXPECT_EQ(fixed(text).text, text);
  }
}

}  // namespace
}  // namespace komuz::services
