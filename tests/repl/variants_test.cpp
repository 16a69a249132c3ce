// SPDX-License-Identifier: Apache-2.0
// Lines with holes: the variants that run, their output, and the commands about single variants.
#include <nlohmann/json.hpp>

#include "tests/repl/variants_fixture.h"

namespace komuz::repl {
namespace {

TEST_F(VariantsTest, WithoutCasesEachIsRunOnce) {
  EXPECT_EQ(told("1 + ?[1, 2 * 3, 10 / 0]"),
            "#0  2              1 + 1\n"
            "#1  7              1 + 2 * 3\n"
            "#2  trap DIV_ZERO  1 + 10 / 0\n"
            "3 variants\n");
  EXPECT_EQ(told(":top 1"),
            "#0  2  1 + 1\n1 of 3 variants; `:cases FILE` or `:score maximize` ranks them\n");
  EXPECT_EQ(told("(true, ?[1, 2])"),
            "#0  (true, 1)  (true, 1)\n"
            "1 of 2 variants; `:cases FILE` or `:score maximize` ranks them\n");
}

TEST_F(VariantsTest, VariablesAndDefinitionsOfTheSessionAreThere) {
  told("let (k, name, l) = (2.5, \"ab\", [Some(1), None].list(4))");
  told("type P = P(x: f64)\nlet p = P(1.5)\nconst k_: f64 = 3.0;");
  told("fn twice(v: f64) -> f64 { v * ?[2.0, k_] }");
  EXPECT_EQ(told("twice(k) + p.x + f64(l.len()) + ?[0.0, f64(name.len())]"),
            "#0  8.5   twice(k) + p.x + f64(l.len()) + 0.0 with ? = 2.0\n"
            "#1  11.0  twice(k) + p.x + f64(l.len()) + 0.0 with ? = k_\n"
            "#2  10.5  twice(k) + p.x + f64(l.len()) + f64(name.len()) with ? = 2.0\n"
            "#3  13.0  twice(k) + p.x + f64(l.len()) + f64(name.len()) with ? = k_\n"
            "4 variants\n");
  told("use std.geom;\nlet s = geom.Segment(geom.Vec2(1.0, 2.0), geom.Vec2(3.0, 4.0))");
  EXPECT_EQ(told("s.b.x * ?[1.0, 2.0]"),
            "#0  3.0  s.b.x * 1.0\n#1  6.0  s.b.x * 2.0\n2 variants\n");
  // The session keeps nothing of it.
  EXPECT_NE(told("it").find("there is no `it`"), std::string::npos);
}

TEST_F(VariantsTest, WhatFunctionsOfALineDecideStandsBehindIt) {
  files_["lib.komuz"] =
      "// A library.\n\npub fn g(v: f64) -> f64 {\n    v * ?[v, ?a[2.0, 3.0]]\n}\n";
  told(":load lib.komuz");
  told("fn f(v: f64) -> f64 { ?shape[v + ?[1.0, 2.0], -v] * ?scale(0.5..=1.0, steps: 2) }");
  told("space s(v: f64) -> f64 depth 0 { v, ?factor[2.0, 3.0] * v }");
  told("fn h(v: f64) -> f64 { ?s(v) }\nlet one = 1.0\n:top 4");
  // What a space decides shows where it is expanded, and a decision that the line shares with a function shows there.
  EXPECT_EQ(told("h(one) + ?s(one)"),
            "#0  2.0  h(one) + one with s = v\n"
            "#1  3.0  h(one) + one with s = 2.0 * v\n"
            "#2  4.0  h(one) + one with s = 3.0 * v\n"
            "#3  3.0  h(one) + 2.0 * one with s = v\n"
            "4 of 9 variants; `:cases FILE` or `:score maximize` ranks them\n");
  EXPECT_EQ(told("f(1.0) + ?scale(0.5..=1.0, steps: 2)"),
            "#0  1.5  f(1.0) + 0.5 with shape = v + 1.0\n"
            "#1  2.0  f(1.0) + 0.5 with shape = v + 2.0\n"
            "#2  0.0  f(1.0) + 0.5 with shape = -v\n"
            "#3  3.0  f(1.0) + 1.0 with shape = v + 1.0\n"
            "4 of 6 variants; `:cases FILE` or `:score maximize` ranks them\n");
  EXPECT_EQ(told("\nf(1.0) + ?[0.0,\n  g(1.0) * ?a[4.0, 5.0]]").substr(0, 70),
            "#0  1.0  f(1.0) + 0.0 with ? = v, shape = v + 1.0, scale = 0.5\n#1  2.0");
  EXPECT_EQ(told(":variants"),
            "48 variants of 5 decisions\n"
            "  ?       choice  2  f64  0.0 | g(1.0) * ?a[4.0, 5.0]  at 2:10\n"
            "  ?a      choice  2  f64  4.0 | 5.0  at 3:12, lib.komuz:4:14\n"
            "  ?       choice  2  f64  v | ?a[2.0, 3.0]  at lib.komuz:4:9\n"
            "  ?shape  choice  3  f64  v + ?[1.0, 2.0] | -v  at 1:23 in `f`\n"
            "    ?     choice  2  f64  1.0 | 2.0  at 1:34 in `f`\n"
            "  ?scale  grid    2  f64  0.5..=1.0  at 1:53 in `f`\n");
}

TEST_F(VariantsTest, CasesRankThem) {
  told(":score exact");
  EXPECT_EQ(told(":cases data.csv"), "4 cases of data.csv: (x: f64, y: f64), expected f64\n");
  EXPECT_EQ(told("x * ?[1.0, 2.0] + y ** ?[1.0, 2.0]"),
            "rank  id  status  score  fuel  bytes  program\n"
            "   1  #3  ok          4     4     80  x * 2.0 + y ** 2.0\n"
            "   2  #2  wrong       1     4     80  x * 2.0 + y ** 1.0\n"
            "   3  #0  wrong       0     4     80  x * 1.0 + y ** 1.0\n"
            "   4  #1  wrong       0     4     80  x * 1.0 + y ** 2.0\n"
            "4 candidates on 4 cases: 1 ok, 3 wrong\n");
  EXPECT_EQ(told(":why #2"), "#2: case on line 2, x = 1.0, y = 2.0: expected 6.0, found 4.0\n");
  EXPECT_EQ(told(":why #3"), "#3 passes all 4 cases\n");
  EXPECT_EQ(told(":top 1"),
            "rank  id  score  fuel  bytes  program\n"
            "   1  #3      4     4     80  x * 2.0 + y ** 2.0\n"
            "4 candidates on 4 cases: 1 ok, 3 wrong\n");
  EXPECT_EQ(told(":fill #3"), "pub fn variant(x: f64, y: f64) -> f64 { x * 2.0 + y ** 2.0 }\n");
  EXPECT_TRUE(told(":diff #0 #3").starts_with("--- #0\n+++ #3\n"));
  EXPECT_EQ(told(":diff #3 #3"), "#3 and #3 are the same program\n");
  EXPECT_NE(told(":diff #0 #3").find("-pub fn variant(x: f64, y: f64) -> f64 { x * 1.0"),
            std::string::npos);
  EXPECT_EQ(told(":variants").substr(0, 28), "4 variants of 2 decisions\n  ");
}

// A rank of the last table names a variant, and where none is named it is the best.
TEST_F(VariantsTest, RanksNameVariants) {
  files_["cases.csv"] = kCases;
  told(":cases cases.csv\n:score exact\nx * ?[1.0, 2.0] + y ** ?[1.0, 2.0]");
  const std::string best = told(":fill #3"), second = told(":fill @2");
  EXPECT_EQ(told(":fill @1"), best);
  EXPECT_EQ(told(":fill"), best);
  EXPECT_NE(second, best);
  EXPECT_EQ(told(":why"), "#3 passes all 4 cases\n");
  EXPECT_TRUE(told(":diff").starts_with("--- @1\n+++ @2\n"));
  EXPECT_TRUE(told(":diff #0").starts_with("--- @1\n+++ #0\n"));
  EXPECT_EQ(told(":diff #3"), "@1 and #3 are the same program\n");
  EXPECT_EQ(told(":keep good"), "pub fn good(x: f64, y: f64) -> f64 { x * 2.0 + y ** 2.0 }\n");
  EXPECT_EQ(told("good(1.0, 3.0)"), "11.0\n");
  EXPECT_EQ(told(":keep @1 fine").substr(0, 11), "pub fn fine");
  EXPECT_EQ(told(":keep").substr(0, 11), "pub fn kept");
  EXPECT_NE(told(":fill @9").find("nobody has the rank `@9`: the last one of the ranking is @4"),
            std::string::npos);
  for (const char* const wrong : {"@", "@0", "@-1", "@1x", "@99999999999999999999"})
    EXPECT_NE(told(":fill " + std::string(wrong)).find("is no rank; write `@1` for the best"),
              std::string::npos)
        << wrong;
}

// Behaviours have ranks of their own.
TEST_F(VariantsTest, RanksAreThoseOfTheLastTable) {
  files_["cases.csv"] = kCases;
  told(":cases cases.csv\n:score squared\n?[x * 2.0, x + x, x * 3.0] + y ** 2.0");
  EXPECT_NE(told(":fill @2").find("x * 2.0"), std::string::npos);
  told(":distinct");
  EXPECT_NE(told(":fill @2").find("3.0"), std::string::npos);
  EXPECT_NE(told(":fill @3").find("nobody has the rank `@3` in the last table"), std::string::npos);
  told(":top");
  EXPECT_NE(told(":fill @2").find("x * 2.0"), std::string::npos);
}

// A score that fits a line: what is taken along has it, as `--best` has, and so has the fit.
TEST_F(VariantsTest, TheLineOfACorrelationIsPartOfTheProgram) {
  files_["line.csv"] = "x,expected\n1.0,5.0\n2.0,7.0\n3.0,9.0\n";
  told(":cases line.csv\n:score correlation\n?[x, x * x]");
  EXPECT_EQ(told(":fill"), "pub fn variant(x: f64) -> f64 { 2.0 * x + 3.0 }\n");
  EXPECT_NE(told(":fill @2").find("x * x"), std::string::npos);
  EXPECT_NE(told(":fill @2"), "pub fn variant(x: f64) -> f64 { x * x }\n");
  EXPECT_EQ(told(":keep best"), "pub fn best(x: f64) -> f64 { 2.0 * x + 3.0 }\n");
  EXPECT_EQ(told("best(4.0)"), "11.0\n");
  EXPECT_NE(told(":plot fit").find("9"), std::string::npos);
}

TEST_F(VariantsTest, CasesAreHeldOut) {
  files_["cases.csv"] = kCases;
  EXPECT_EQ(told(":split"), "no cases are held out\n");
  EXPECT_NE(told(":split 1.5").find("takes a share of the cases between 0 and 1"),
            std::string::npos);
  told(":cases cases.csv\n:score squared");
  EXPECT_NE(told(":split 0.25 3").find("3 cases of cases.csv"), std::string::npos);
  EXPECT_EQ(told(":split"), "0.25 of the cases, drawn by the seed 3\n");
  const std::string table = told("x * ?[1.0, 2.0] + y ** ?[1.0, 2.0]");
  EXPECT_NE(table.find("held out"), std::string::npos) << table;
  EXPECT_NE(table.find("held out: #3 ok, score 0, 1/1 exact"), std::string::npos) << table;
  told(":save s.komuz");
  EXPECT_NE(files_["s.komuz"].find(":split 0.25 3\n:cases cases.csv"), std::string::npos);
  EXPECT_NE(told(":split none").find("4 cases of cases.csv"), std::string::npos);
}

TEST_F(VariantsTest, WhatHasNoMeaningIsSaid) {
  files_["cases.csv"] = kCases;
  told(":cases cases.csv\n:samples 10");
  EXPECT_NE(told("x * ?(real) + y").find("`:samples` has no meaning for this line"),
            std::string::npos);
  for (const char* const command :
       {":fill --optimise", ":keep @1 --optimise", ":export b.komuz --optimise"})
    EXPECT_NE(told(command).find("cheaper code is bytecode"), std::string::npos) << command;
}

// Whatever the table cuts.
TEST_F(VariantsTest, TheBestIsShownWhole) {
  files_["cases.csv"] = kCases;
  columns_ = 60;
  std::string line = "x * ?[2.0, 3.0] + y ** 2.0";
  EXPECT_EQ(told(":cases cases.csv\n:score squared\n" + line).find("best program"),
            std::string::npos);
  for (int k = 0; k < 12; ++k) line += " + 0.0 * x";
  std::string whole = line;
  whole.replace(whole.find("?[2.0, 3.0]"), 11, "2.0");
  const std::string shown = told(line);
  EXPECT_NE(shown.find("…"), std::string::npos) << shown;
  EXPECT_NE(shown.find("\nbest program: " + whole + "\n"), std::string::npos) << shown;
}

TEST_F(VariantsTest, ErrorsAreScoredAndTheWorstCaseIsNamed) {
  told(":cases data.csv\n:score squared");
  EXPECT_NE(told("x * ?[1.0, 2.0] + y * y").find("   1  #1      0     4     72  x * 2.0 + y * y\n"),
            std::string::npos);
  EXPECT_EQ(told(":why #0"),
            "#0, worst: case on line 5, x = 4.0, y = 0.5: expected 8.25, found 4.25\n");
  EXPECT_EQ(told(":why #1"), "#1 is right in all 4 cases\n");
  EXPECT_NE(told(":plot").find("●"), std::string::npos);
  EXPECT_NE(told(":pareto").find("1 program on the Pareto front"), std::string::npos);
}

TEST_F(VariantsTest, TheBestOneIsDrawnAgainstWhatIsExpectedAndOverAColumn) {
  told(":cases data.csv");
  EXPECT_NE(told(":plot fit").find("no line has been ranked"), std::string::npos);
  const std::string alone = told(":plot x");
  EXPECT_TRUE(alone.starts_with("expected over x\n")) << alone;
  EXPECT_NE(alone.find("\n4 cases\n"), std::string::npos) << alone;
  EXPECT_EQ(alone.find("●"), std::string::npos) << alone;
  told("x * ?[1.0, 2.0] + y * y");
  const std::string fit = told(":plot fit");
  EXPECT_TRUE(fit.starts_with("Actual against expected\n")) << fit;
  EXPECT_NE(fit.find("· actual = expected\n4 cases drawn\n"), std::string::npos) << fit;
  EXPECT_NE(told(":plot x").find("● #1\n4 cases\n"), std::string::npos);
  EXPECT_NE(told(":plot X").find("there is no column `X`; did you mean `x`?"), std::string::npos);
  EXPECT_NE(told(":cases none\n:plot x").find("`:cases FILE` takes some"), std::string::npos);
  files_["texts.csv"] = "s,expected\nab,1.5\n";
  EXPECT_NE(told(":cases texts.csv\n:plot s").find("`s` is no column of numbers"),
            std::string::npos);
  EXPECT_NE(told(":score maximize\n:plot expected").find("nothing is expected"), std::string::npos);
}

// An open function is a hole until an input defines it; the definition stays, even if the file is loaded again.
TEST_F(VariantsTest, AHarnessRanksLinesThatCallIt) {
  files_["h.komuz"] =
      "// How far?\n\n/// From 0 to 1.\npub fn brake(left: f64,\n    speed: f64) -> f64;\n\n"
      "pub fn score(left: f64) -> f64 { left - brake(left, 2.0) }\n";
  EXPECT_EQ(told(":harness h.komuz"),
            "open until an input defines it: `brake(left: f64, speed: f64) -> f64`\n"
            "`:score maximize` or `:score minimize` ranks lines that call the harness\n");
  EXPECT_NE(told("score(1.0)").find("trap HOLE"), std::string::npos);
  EXPECT_EQ(
      told(":score minimize\nfn brake(left: f64, speed: f64) -> f64 { speed * ?k[0.25, 0.5] }"),
      "");
  EXPECT_NE(told("score(3.0)").find("   1  #1      2 "), std::string::npos);
  EXPECT_EQ(told(":load h.komuz"), "");
  EXPECT_NE(told("score(3.0)").find("   1  #1      2 "), std::string::npos);
  EXPECT_EQ(told(":reload"), "");
  files_["p.komuz"] = "fn g(x: f64) -> f64 { x }\n";
  EXPECT_NE(told(":harness p.komuz")
                .find("p.komuz leaves no function open, as a harness does; `:load p.komuz`"),
            std::string::npos);
  files_["broken.komuz"] = "pub fn g(x: f64) -> f64 {\n";
  EXPECT_NE(told(":harness broken.komuz").find("broken.komuz:1:25: error[K0102]"),
            std::string::npos);
  // Comments are no part of what is said, nor what would steer a terminal.
  files_["c.komuz"] =
      "pub fn brake(left: f64, // \x1b]0;no\a {how} far\n    speed: f64) -> f64;\n"
      "pub fn score(left: f64) -> f64 { brake(left, 2.0) }\n";
  EXPECT_NE(told(":reset\n:harness c.komuz")
                .find("open until an input defines it: `brake(left: f64, speed: f64) -> f64`\n"),
            std::string::npos);
  // Places are those of the file.
  files_["h.komuz"] = "pub fn brake(v: f64) -> f64;\npub fn score(v: f64) -> f64 { brake(true) }\n";
  EXPECT_NE(told(":reset\n:load h.komuz").find("h.komuz:2:37: error"), std::string::npos);
}

// Tests of a harness that come to what is open say nothing of it; others do, and it is there all the same.
TEST_F(VariantsTest, TestsOfAHarnessThatCallWhatIsOpenAreSkipped) {
  const std::string harness =
      "pub fn f(x: f64) -> f64;\nfn half(x: f64) -> f64 { x / 2.0 }\n"
      "pub fn score(a: f64) -> f64 { f(half(a)) }\ntest \"half\" { assert half(1.0) == 0.5; }\n"
      "test \"whole\" { assert score(1.0) == 1.0; }\n";
  files_["h.komuz"] = harness;
  const std::string open = "open until an input defines it: `f(x: f64) -> f64`\n";
  EXPECT_EQ(told(":score minimize\n:harness h.komuz\n"),
            "1 test passed, 1 skipped: what they call is open\n" + open);
  files_["wrong.komuz"] = harness + "test \"no\" { assert half(1.0) == 1.0; }\n";
  EXPECT_NE(told(":reset\n:harness wrong.komuz\n").find("1 passed, 1 failed, 1 skipped"),
            std::string::npos);
  files_["a.csv"] = "a\n1\n";
  EXPECT_EQ(told(":cases a.csv\n"), "1 case of a.csv: (a: f64)\n");
  EXPECT_NE(told("fn f(x: f64) -> f64 { x * ?[1.0, 2.0] }\nscore(a)\n").find("2 ok"),
            std::string::npos);
  // The user has not asked for a value score.
  EXPECT_NE(told(":cases none\n:score auto\n:cases a.csv\n").find("say `:score maximize` or"),
            std::string::npos);
  // A test fails on a hole that somebody wrote.
  EXPECT_NE(told("fn g() -> i64 { ? }\ntest \"g\" { assert g() == 1; }\n").find("trap HOLE"),
            std::string::npos);
}

// As `komuz eval --harness` takes it: open functions are public, and the harness's items that they use are imported.
TEST_F(VariantsTest, OfAHarnessTheCandidateAloneIsWritten) {
  files_["lib/cars.komuz"] =
      "pub type Car = Car(v: f64);\npub type Other = Other(w: f64);\n"
      "pub fn brake(car: Car) -> f64;\nfn twice(x: f64) -> f64 { 2.0 * x }\n"
      "pub fn score(v: f64) -> f64 { twice(brake(Car(v))) + Other(0.0).w }\n"
      "test \"twice\" { assert twice(1.0) == 2.0; }\n";
  files_["v.csv"] = "v\n1.0\n2.0\n";
  told(
      ":harness lib/cars.komuz\n:score minimize\n:cases v.csv\n"
      "fn half(x: f64) -> f64 { x / 2.0 }\n"
      "// How hard.\nfn brake(car: Car) -> f64 { half(car.v) * ?[1.0, 0.5] }\nscore(v)\n");
  const std::string candidate =
      "use cars.{Car};\n\nfn half(x: f64) -> f64 { x / 2.0 }\n\n"
      "pub fn brake(car: Car) -> f64 { half(car.v) * 0.5 }\n";
  EXPECT_EQ(told(":fill #1\n"), candidate);
  told(":export best.komuz\n");
  EXPECT_EQ(files_["best.komuz"], candidate);
  // A line of its own is none of the harness.
  told(":cases none\n2.0 * ?[1.0, 2.5]\n");
  EXPECT_NE(told(":fill #1\n").find("-> f64 { 5.0 }"), std::string::npos);
}

// Items that the session has changed, or that are private in the harness, become the candidate's own.
// The line that fits the best variant is told, in JSON beside each row, and becomes part of what is exported.
TEST_F(VariantsTest, ACorrelationTellsItsLine) {
  files_["line.csv"] = "x,expected\n1.0,3.25\n2.0,10.75\n3.0,23.25\n";
  const std::string shown = told(":cases line.csv\n:score correlation\nx * ?[1.0, x]\n");
  EXPECT_NE(shown.find(": expected ≈ 2.5 · f + 0.75\n"), std::string::npos) << shown;
  EXPECT_EQ(told(":export best.komuz\n"), "");
  EXPECT_NE(files_["best.komuz"].find("x * x * 2.5 + 0.75"), std::string::npos)
      << files_["best.komuz"];
  const std::string json = told(":cases line.csv\n:score correlation\nx * ?[1.0, x]\n", true);
  EXPECT_NE(json.find("\"line\":{\"slope\":2.5,\"intercept\":0.75}"), std::string::npos) << json;
}

TEST_F(VariantsTest, ACandidateBringsWhatItCannotImport) {
  files_["my-h4.komuz"] =
      "pub type Car = Car(v: f64);\npub fn fn_value(car: Car) -> f64;\n"
      "fn twice(x: f64) -> f64 { 2.0 * x }\nfn four(x: f64) -> f64 { twice(twice(x)) }\n"
      "pub fn half(x: f64) -> f64 { x / 2.0 }\n"
      "pub fn score(v: f64) -> f64 { fn_value(Car(v)) }\n";
  files_["v.csv"] = "v\n1.0\n2.0\n";
  told(
      ":harness my-h4.komuz\n:score minimize\n:cases v.csv\n"
      "fn half(x: f64) -> f64 { x / 3.0 }\n"
      "fn fn_value(car: Car) -> f64 { half(four(car.v)) * ?[1.0, 0.5] }\nscore(v)\n");
  EXPECT_EQ(
      told(":fill #1\n"),
      "// No program can use my-h4.komuz by that name: call it my_h4.komuz.\n\nuse my_h4.{Car};\n\n"
      "fn twice(x: f64) -> f64 { 2.0 * x }\n\nfn four(x: f64) -> f64 { twice(twice(x)) }\n\n"
      "fn half(x: f64) -> f64 { x / 3.0 }\n\n"
      "pub fn fn_value(car: Car) -> f64 { half(four(car.v)) * 0.5 }\n");
  // The scoring function must be the harness's.
  told("fn twice(x: f64) -> f64 { x }\nfn score(v: f64) -> f64 { twice(fn_value(Car(v))) }\n");
  told("score(v)\n");
  const std::string whole = told(":fill #1\n");
  EXPECT_TRUE(
      whole.starts_with("// The whole program: the session has changed `score` of my-h4.komuz.\n"))
      << whole;
  EXPECT_NE(whole.find("fn score(v: f64) -> f64 { twice(fn_value(Car(v))) }\n"), std::string::npos);
}

TEST_F(VariantsTest, OfThoseThatDoTheSameTheBestIsShown) {
  told(":cases data.csv\n:score squared");
  const auto has_second = [](const std::string& text) {
    return text.find("\n   2  ") != std::string::npos;
  };
  EXPECT_TRUE(has_second(told("?[x * 2.0, x + x] + y * y")));
  const std::string distinct = told(":distinct");
  EXPECT_NE(distinct.find("   1  #1"), std::string::npos) << distinct;  // the smaller one
  EXPECT_FALSE(has_second(distinct)) << distinct;
}

TEST_F(VariantsTest, WhatALineIsWorthMayBeItsScore) {
  told(":score maximize");
  EXPECT_NE(told("?[3, 9, 5] * 2").find("   1  #1     18     1     48  9 * 2\n"),
            std::string::npos);
  told(":cases data.csv");
  // Then nothing is expected: every column is a parameter.
  EXPECT_EQ(told(":cases"), "4 cases of data.csv: (x: f64, y: f64, expected: f64)\n");
  told(":score minimize");
  EXPECT_NE(told("abs(x * ?[1.0, 2.0] + y * y - expected)").find("   1  #1      0"),
            std::string::npos);
  EXPECT_EQ(told(":why #1"), "#1 has a value for all 4 cases\n");
}

TEST_F(VariantsTest, AVariantIsKeptAsAFunction) {
  told(":score exact\n:cases data.csv\nfn sq(v: f64) -> f64 { v * ?[v, 1.0] }\nlet two = 2.0");
  EXPECT_NE(told("x * two + sq(y)").find("   1  #0  ok"), std::string::npos);
  // Functions that something was decided in stay as they are; the variant has its own.
  EXPECT_EQ(told(":keep #0 best"),
            "pub fn best(x: f64, y: f64) -> f64 { x * 2.0 + sq_best(y) }\n\n"
            "fn sq_best(v: f64) -> f64 { v * v }\n");
  EXPECT_EQ(told("let two = 0.0\nbest(1.0, 3.0)"), "two = 0.0\n11.0\n");
  EXPECT_NE(told("sq(5.0)").find("2 candidates"), std::string::npos);
  told("x * two + sq(y)");
  EXPECT_NE(told(":keep #1 other").find("fn sq_other(v: f64) -> f64 { v }"), std::string::npos);
  EXPECT_EQ(told("(best(1.0, 3.0), other(1.0, 3.0))"), "(11.0, 3.0)\n");
  for (const char* const name : {"x-y", "a b", "1x", "if", "f() -> i64 { 1 } fn g"})
    EXPECT_NE(told(":keep #0 " + std::string(name)).find("is no name for a function"),
              std::string::npos)
        << name;
  EXPECT_NE(told(":keep #7").find("error"), std::string::npos);
}

TEST_F(VariantsTest, ARankingIsOfItsCasesAndItsScore) {
  told(":cases data.csv\nx * ?[1.0, 2.0]");
  EXPECT_NE(told(":top 1").find("rank"), std::string::npos);
  told(":score squared");
  EXPECT_NE(told(":export r.json").find("no line has been ranked"), std::string::npos);
  EXPECT_NE(told(":search 1").find("rank"), std::string::npos);  // the line is the same
  told(":score minimize");                                       // `expected` is a column now
  EXPECT_NE(told(":search 1").find("no line with holes"), std::string::npos);
  EXPECT_NE(told("x * ?[1.0, 2.0] - expected").find("rank"), std::string::npos);
  told(":cases none");
  EXPECT_NE(told(":why #0").find("no line with holes"), std::string::npos);
}

TEST_F(VariantsTest, WhatIsKeptIsWhatWasRanked) {
  told("fn s(x: f64) -> f64 { x + ?[1.0, 2.0] }\nlet a = 1.0\ns(5.0) * a\nlet a = 100.0");
  told("fn s(x: f64) -> f64 { x * 10.0 }");
  told(":keep #1");
  EXPECT_EQ(told("kept()"), "7.0\n");
}

TEST_F(VariantsTest, WholeLinesAreShown) {
  EXPECT_NE(told("?[Some(1), None]").find("None; it })\n"), std::string::npos);
  EXPECT_NE(told("\"a  b\".len() + ?[1, 2]").find("#1  6  \"a  b\".len() + 2\n"),
            std::string::npos);
  EXPECT_EQ(told("(1 + // one\n?[1, 2])").find("one"), std::string::npos);
  told("space e(x: f64) -> f64 depth 0 { x, x + 1.0, x + 2.0 }");
  const std::string shown = told("?e(5.0)");
  EXPECT_NE(shown.find("x + 1.0"), std::string::npos) << shown;
  EXPECT_NE(shown.find("x + 2.0"), std::string::npos) << shown;
}

TEST_F(VariantsTest, WhereNearlyAllVariantsAreTooLargeSmallOnesAreDrawn) {
  told("space e(x: f64) -> f64 depth 16 { x, e + e, e * e }");
  told(":samples 20\n:score maximize");
  const std::string shown = told("?e(1.0)");
  EXPECT_NE(shown.find("20 candidates"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("refused"), std::string::npos) << shown;
}

TEST_F(VariantsTest, TheBudgetOfCasesWithoutAnEndIsStated) {
  told("fn count(n: f64) -> f64 { var k = n; while k > 0.0 limit 1000000000 { k += 1.0; } k }");
  told(":cases data.csv\n:score squared");
  EXPECT_EQ(told(":budget"), "none is stated\n");
  const std::string whole = told("?[count(x), x]");
  EXPECT_NE(whole.find("1 trapped"), std::string::npos) << whole;
  EXPECT_EQ(told(":budget 5_000\n:budget"), "5,000 ticks\n");
  EXPECT_NE(told(":top").find("no line has been ranked"), std::string::npos);
  const std::string stated = told("?[count(x), x]");
  EXPECT_NE(stated.find("1 unscored"), std::string::npos) << stated;
  const std::string why = told(":why #0");
  EXPECT_NE(why.find("took more than 5,000 ticks"), std::string::npos) << why;
  EXPECT_NE(why.find("`:budget N` says how many"), std::string::npos) << why;
  for (const char* const wrong : {":budget 0", ":budget many", ":budget 9223372036854775807"})
    EXPECT_NE(told(wrong).find("`:budget` takes a number of ticks"), std::string::npos) << wrong;
  told(":save s.komuz\n:budget none");
  EXPECT_NE(files_["s.komuz"].find(":budget 5000\n"), std::string::npos);
  EXPECT_EQ(told(":budget"), "none is stated\n");
  EXPECT_NE(told("?[count(x), x]").find("1 trapped"), std::string::npos);
}

TEST_F(VariantsTest, SearchLooksForGoodOnes) {
  told(
      ":cases data.csv\n:score squared\nspace e(a: f64, b: f64) -> f64 depth 4 { a, b, e + e, e * "
      "e }");
  told(":samples 10");
  EXPECT_NE(told("?e(x, y)").find("`:search` looks for good ones"), std::string::npos);
  EXPECT_NE(told(":search evolve 20").find("   1  #"), std::string::npos);
  EXPECT_EQ(told(":search evolve 20"), told(":search 20"));
  EXPECT_NE(told(":search fast").find("is neither evolve, local, random or lexicase"),
            std::string::npos);
  EXPECT_NE(told("x + y\n:search").find("no line with holes"), std::string::npos);
}

// Each is better than the one before, and the last one leads the ranking.
TEST_F(VariantsTest, TheBestScoreIsToldWhileASearchRuns) {
  told(":cases data.csv\n?a(0.0..=3.0, steps: 400) * x + ?b(0.0..=3.0, steps: 400) * y");
  bests_.clear();
  const std::string ranked = told(":search random 3\n");
  ASSERT_GT(bests_.size(), 1u);
  for (size_t k = 1; k < bests_.size(); ++k)
    EXPECT_LT(std::stod(bests_[k]), std::stod(bests_[k - 1]));
  const size_t first = ranked.find("   1  #");
  EXPECT_NE(ranked.substr(first, ranked.find('\n', first) - first).find(" " + bests_.back() + " "),
            std::string::npos)
      << ranked << bests_.back();
  bests_.clear();
  told(":score exact\n?[x, 2.0] * x + y");
  EXPECT_FALSE(bests_.empty());
}

TEST_F(VariantsTest, WhoTakesAllFuelIsToldHowToHaveMore) {
  const std::string note = "an input may use 1,000 ticks; `:fuel 10000` lets it use more\n";
  told(":fuel 1000\nfn f(n: i64) -> i64 { var m = n; while m < 1000000 { m += 1; } m }");
  for (const char* const input :
       {"f(0)", ":time f(0)", ":cost f(0)", "test \"t\" { assert f(0) > 0; }", "f(?[1, 2])",
        ":score exact\n:cases ints.csv\nf(n) + ?[1, 2]\n:why #0"}) {
    files_["ints.csv"] = "n,expected\n1,1\n";
    EXPECT_TRUE(told(input).find(note) != std::string::npos) << input;
  }
  EXPECT_EQ(told("1 / 0").find("ticks; `:fuel"), std::string::npos);
}

TEST_F(VariantsTest, ASearchSaysThatItHasLookedAtAll) {
  told(":cases data.csv\n:score squared\n:top 1");
  EXPECT_NE(told("x * ?(0.0..=9.0, steps: 10)").find("10 candidates"), std::string::npos);
  EXPECT_EQ(told(":search evolve 100000"),
            "rank  id    score  fuel  bytes  program\n"
            "   1  #3  72.3125     4     40  x * 3.0\n"
            "10 candidates on 4 cases: 10 ok\n"
            "1 generation: there are no other variants\n");
}

TEST_F(VariantsTest, LongNamesAreCutAndTaken) {
  told("space e(x: f64) -> f64 depth 7 { x, e + e, e * e }\n:samples 40\n:top 2");
  const auto shown_name = [](const std::string& shown) {
    const size_t begin = shown.find("#[");
    return shown.substr(begin, shown.find(' ', begin) - begin);
  };
  std::string name = shown_name(told("?e(1.0)"));
  EXPECT_EQ(name.size(), 39 + std::string("…").size());
  EXPECT_TRUE(name.ends_with("]")) << name;
  EXPECT_NE(told(":fill " + name).find("pub fn variant() -> f64"), std::string::npos);
  const std::string ranked = told(":score maximize\n?e(1.0)");
  EXPECT_NE(ranked.find("are whole in JSON"), std::string::npos);
  name = shown_name(ranked);
  EXPECT_NE(told(":fill " + name).find("pub fn variant() -> f64"), std::string::npos);
  EXPECT_EQ(told(":why " + name), name + " has a value for the only case\n");
  EXPECT_NE(told(":keep " + name + " best\nbest()").find("pub fn best() -> f64 {"),
            std::string::npos);
  EXPECT_NE(told(":fill #[…]").find("stands for 40 names"), std::string::npos);
  EXPECT_NE(told(":fill #[9…").find("stands for no name"), std::string::npos);
}

TEST_F(VariantsTest, ASavedSessionIsNoProgramToLoad) {
  told("fn a() -> i64 { 1 }\nfn b() -> i64 { a() }\nlet c = b()\n:save s.komuz");
  EXPECT_NE(told(":load s.komuz").find("`komuz repl s.komuz` makes it again"), std::string::npos);
}

TEST_F(VariantsTest, LongProgramsAreCutInTablesAndWholeInJson) {
  constexpr std::string_view kInputs =
      ":reset\nspace e(x: f64) -> f64 depth 9 { x, e + e, e * e }\n:samples 40\n:top 2\n"
      ":score maximize\n?e(1.0)";
  const std::string shown = told(kInputs);
  EXPECT_NE(shown.find("programs that end in `…` are whole"), std::string::npos);
  // The best one is whole, below the table.
  EXPECT_LT(shown.find("\nbest program: "), 2000u);
  EXPECT_EQ(told(kInputs, true).find("…"), std::string::npos);
}

TEST_F(VariantsTest, RankingsAreWritten) {
  told(":cases data.csv\n:score squared\nx * ?[1.0, 2.0] + y * y");
  EXPECT_EQ(told(":export r.json"), "");
  const nlohmann::json report = nlohmann::json::parse(files_["r.json"]);
  ASSERT_EQ(report["results"].size(), 2u);
  EXPECT_EQ(report["results"][1]["id"], "#0");
  EXPECT_EQ(report["results"][1]["first_failure"]["actual"], 5.0);
  // Details kept by a session for programs equal those that another session computes again.
  told("", true);
  told(":cases data.csv\n:score squared\nx * ?[1.0, 2.0] + y * y\n:export kept.json", true);
  EXPECT_EQ(files_["kept.json"], files_["r.json"]);
  told(":cases data.csv\n:score squared\nx * ?[1.0, 2.0] + y * y");
  EXPECT_EQ(told(":export r.komuz"), "");
  EXPECT_EQ(files_["r.komuz"], "pub fn variant(x: f64, y: f64) -> f64 { x * 2.0 + y * y }\n");
  // In another language, by the ending.
  EXPECT_EQ(told(":export r.py"), "");
  EXPECT_NE(files_["r.py"].find("def variant(x, y):\n    return x * 2.0 + y * y\n"),
            std::string::npos)
      << files_["r.py"];
  EXPECT_EQ(told(":export r.svg"), "");
  EXPECT_TRUE(files_["r.svg"].starts_with("<svg"));
  EXPECT_NE(told(":export r.txt").find("follows from the name"), std::string::npos);
}

TEST_F(VariantsTest, AnInterruptEndsWhatIsRunOnce) {
  files_["lib.komuz"] = "const A: i64 = 1;";
  told(":fuel 1000000000000\n:watch lib.komuz");
  on_stamp_ = [this] { stop_.request_stop(); };  // when the input has been begun
  EXPECT_EQ(told("{ var s = ?[0, 1]; for i in 0..100_000_000_000 { s += i; }; s }"),
            "interrupted\n0 of 2 variants; `:cases FILE` or `:score maximize` ranks them\n");
  // A stopped session does not start requested work.
  EXPECT_EQ(told("?[0, 1]"), "");
}

TEST_F(VariantsTest, AnInterruptLeavesWhatThereIs) {
  told(":cases data.csv\n:score squared");
  stop_after_ = 1;
  const std::string text = told("x * ?a(0.0..=4.0, steps: 300) + y * ?b(0.0..=4.0, steps: 300)");
  EXPECT_NE(text.find("interrupted after "), std::string::npos) << text;
  EXPECT_NE(text.find("of 90,000 variants"), std::string::npos) << text;
  EXPECT_EQ(totals_.front(), 90'000u);
  stop_ = {};
  stop_after_ = ~u64{0};
  EXPECT_NE(told(":top 1").find("rank"), std::string::npos);
  EXPECT_EQ(told("1 + 1"), "2\n");
}

TEST_F(VariantsTest, WhatIsWrongIsSaid) {
  for (const char* const command : {":variants", ":fill #1", ":why #1", ":diff #1 #2", ":keep #1",
                                    ":search", ":distinct", ":pareto", ":plot", ":export r.json"})
    EXPECT_NE(told(command).find("error: no line"), std::string::npos) << command;
  EXPECT_NE(told(":cases nothing.csv").find("no file `nothing.csv`"), std::string::npos);
  EXPECT_NE(told(":score best").find("there is no score `best`"), std::string::npos);
  EXPECT_NE(told(":score squared 3").find("only some scores take more"), std::string::npos);
  EXPECT_NE(told(":samples 0").find("`:samples` takes"), std::string::npos);
  EXPECT_NE(told(":top x").find("`:top` takes"), std::string::npos);
  EXPECT_NE(told("1 + ?[1, 2]\n:why #0").find("nothing is expected"), std::string::npos);
  EXPECT_NE(told(":diff #0").find("`@1` is a rank of the last table, and there is none"),
            std::string::npos);
  EXPECT_NE(told(":score exact x").find("`x` is no tolerance"), std::string::npos);
  EXPECT_EQ(told(":score exact 1e-9\n:score"), "exact 1e-09\n");
  EXPECT_NE(told(":score exact 1e-9 x").find("`x` is no floor"), std::string::npos);
  EXPECT_NE(told(":score relative -1").find("`-1` is no floor"), std::string::npos);
  EXPECT_NE(told(":score relative 1 2").find("takes no `2`"), std::string::npos);
  EXPECT_EQ(told(":score exact 1e-9 0.001\n:score"), "exact 1e-09 0.001\n");
  EXPECT_EQ(told(":score exact 0 0.001\n:score"), "exact 0.0 0.001\n");
  EXPECT_EQ(told(":score relative 0.001\n:score"), "relative 0.001\n");
  EXPECT_EQ(told(":score huber 0.5\n:score"), "huber 0.5\n");
  EXPECT_EQ(told(":score log-cosh\n:score"), "log-cosh\n");
  EXPECT_EQ(told(":score quantile 0.9\n:score"), "quantile 0.9\n");
  EXPECT_NE(told(":score huber 0").find("`0` is no delta, a number above 0"), std::string::npos);
  EXPECT_NE(told(":score quantile 2").find("`2` is no quantile, a number between 0 and 1"),
            std::string::npos);
  EXPECT_NE(told(":score logistic 1").find("only some scores take more"), std::string::npos);
  EXPECT_NE(told("quit").find("`:quit` ends the session"), std::string::npos);
  for (const char* const command : {":cost", ":time", ":bench"})
    EXPECT_NE(told(std::string(command) + " 1 + ?[1, 2]").find("this has holes"),
              std::string::npos);
  // Faults that concern a line are reported at the line.
  told(":cases data.csv");
  EXPECT_EQ(
      told("?[1, 2]"),
      "error: data.csv:2:9: the expected value: `6.0` is no i64 [the line gives i64]; write an "
      "integer such as 42 or 0x2A\n");
  EXPECT_EQ(
      told(":score squared\n?[\"a\", \"b\"]"),
      "input:2: error: the score `squared` takes results that are numbers, or tuples, records "
      "or arrays of them; the line gives Bytes[1]; use `exact`, or let the line give the number "
      "to compare\n");
  EXPECT_EQ(
      told(":score minimize\n?[true, false]"),
      "input:2: error: the line gives bool, which is no number to rank by; let it give an f64\n");
  told(":cases none\n:score exact 1e-9");
  EXPECT_NE(told("let x = ?[1, 2]").find("`let` keeps one value"), std::string::npos);
  EXPECT_NE(told("space e() -> i64 depth 0 { e }\n?e()").find("has no variants"),
            std::string::npos);
  EXPECT_NE(told("1 + ?").find("HOLE"), std::string::npos);
}

TEST_F(VariantsTest, WatchedFilesAreLoadedAgain) {
  files_["lib.komuz"] = "fn f() -> i64 { 1 }";
  EXPECT_EQ(told(":watch lib.komuz\nf()"), "1\n");
  files_["lib.komuz"] = "fn f() -> i64 { 2 }";
  EXPECT_EQ(told("f()"), "loaded lib.komuz, which has changed\n2\n");
  files_["lib.komuz"] = "fn f() -> i64 { x }";
  EXPECT_NE(told("f()").find("there is no `x`"), std::string::npos);
  files_["lib.komuz"] = "fn f() -> i64 { 3 }";
  EXPECT_EQ(told(":watch"), "loaded lib.komuz, which has changed\n");
  files_["lib.komuz"] = "fn f() -> i64 { 4 }";
  EXPECT_EQ(told("f()"), "3\n");
  EXPECT_EQ(told(":watch lib.komuz\nf()"), "4\n");
  files_.erase("lib.komuz");
  EXPECT_EQ(told("f()"),
            "lib.komuz is gone; what it gave stays, and it is loaded when it is there again\n4\n");
  EXPECT_EQ(told("f()"), "4\n");
  files_["lib.komuz"] = "fn f() -> i64 { 5 }";
  EXPECT_EQ(told("f()"), "loaded lib.komuz, which has changed\n5\n");
}

// The value of `name()` after a variant of the line was kept, and the ranking's statement about it.
TEST_F(VariantsTest, KeptFunctionsLeaveThoseOfTheSessionAlone) {
  told(
      ":score maximize\nfn f(v: f64) -> f64 { v * ?k(1.0..=2.0, steps: 5) }\nf(3.0) - ?[1.0, 0.5]");
  told(":keep #9 best");
  EXPECT_EQ(told("best()"), "5.5\n");
  EXPECT_NE(told(":list").find("fn f(v: f64) -> f64 { v * ?k(1.0..=2.0, steps: 5) }"),
            std::string::npos);
  // Names that are taken.
  told("fn h(v: f64) -> f64 { v * ?[1.0, 2.0] }\nfn h_best(v: f64) -> f64 { v * 1000.0 }");
  told("h(3.0) + h_best(1.0)\n:keep #1 best");
  EXPECT_EQ(told("best()\nh_best(1.0)"), "1006.0\n1000.0\n");
  told("let h_low = 3\nh(3.0)\n:keep #0 low");
  EXPECT_EQ(told("low()\nh_low"), "3.0\n3\n");
  // A function that the line calls has the name.
  told(":score exact\n:cases none\n3 * ?[1, 2]\n:keep #1\nkept() * ?[1, 2]\n:keep #1");
  EXPECT_EQ(told("kept()"), "12\n");
  // The same if another function calls it.
  told("fn two() -> i64 { kept() + 1 }\ntwo() * ?[1, 2]\n:keep #1");
  EXPECT_EQ(told("kept()\ntwo()"), "26\n27\n");
}

TEST_F(VariantsTest, AssignmentsToVariablesAreNoVariants) {
  EXPECT_NE(told("var c = 1\nc += ?[1, 2]").find("changes no variable"), std::string::npos);
  EXPECT_EQ(told("c"), "1\n");
}

TEST_F(VariantsTest, AllMethodsSearchFewVariants) {
  told(":score maximize\n?[1.0, 2.0]");
  for (const char* const method : {"evolve", "local", "lexicase", "random"})
    EXPECT_NE(told(std::string(":search ") + method + " 3").find("there are no other variants"),
              std::string::npos);
}

// On a terminal the best are ranked first, and the others where somebody asks for them.
TEST_F(VariantsTest, TerminalsShowTheSameRankings) {
  constexpr const char* kInputs =
      ":cases data.csv\n:score squared\n"
      "x * ?(0.0..=3.0, steps: 13) + ?[y, 2.0, x - x, 0.0] * ?[y, y * 1.0]\n"
      ":top 4\n:pareto\n:top 30\n:why #3\n:search random 3\n:export all.json\n:top 2";
  const std::string shown = told(kInputs), report = files_["all.json"];
  repl_.reset();
  columns_ = 1000;
  EXPECT_EQ(told(kInputs), shown);
  EXPECT_EQ(files_["all.json"], report);
}

TEST_F(VariantsTest, SavedSessionsRankTheSame) {
  told(":cases data.csv\n:score squared\n:top 2\n:samples 4 7\nlet k = 2.0\n:save all");
  const std::string ranked = told("x * ?(0.0..k, steps: 9)");
  repl_.reset();
  told(files_["all"]);
  EXPECT_EQ(told("x * ?(0.0..k, steps: 9)"), ranked);
}

TEST_F(VariantsTest, OnlyDefinitionsAreLoaded) {
  files_["holes.komuz"] = "1 + ?[1, 2]";
  EXPECT_NE(told(":load holes.komuz").find("this defines nothing"), std::string::npos);
  files_["value.komuz"] = "// a value\n1 + 2";
  EXPECT_NE(told(":load value.komuz").find("this defines nothing"), std::string::npos);
  files_["empty.komuz"] = "// none\n";
  EXPECT_EQ(told(":load empty.komuz"), "");
  files_["def.komuz"] = "def f(x): x";
  EXPECT_NE(told(":load def.komuz").find("K0187"), std::string::npos);
}

TEST_F(VariantsTest, ReloadingSaysWhatWentWellApart) {
  files_["a.komuz"] = "fn a() -> i64 { 1 }\ntest \"a\" { assert a() == 1 }";
  files_["b.komuz"] = "fn b() -> i64 { 2 }";
  told(":load a.komuz\n:load b.komuz", true);
  files_["b.komuz"] = "fn b() -> i64 { c }";
  const auto answer = nlohmann::json::parse(told(":reload", true));
  EXPECT_EQ(answer["note"], "1 test passed\n");
  EXPECT_FALSE(answer.contains("error"));
  EXPECT_EQ(answer["diagnostics"].size(), 1u);
}

TEST_F(VariantsTest, WatchedFilesThatAreWrongFailTheSession) {
  files_["w.komuz"] = "fn w() -> i64 { 1 }";
  told(":watch w.komuz", true);
  files_["w.komuz"] = "fn w() -> i64 { c }";
  const auto answer = nlohmann::json::parse(told("1 + 1", true));
  EXPECT_EQ(answer["value"], 2);
  EXPECT_EQ(answer["diagnostics"].size(), 1u);
  EXPECT_TRUE(repl_->has_failed());
}

TEST_F(VariantsTest, TopShowsMoreOfWhatWasListed) {
  told("?[1, 2, 3, 4]");
  EXPECT_EQ(told(":top 2"),
            "#0  1  1\n#1  2  2\n2 of 4 variants; `:cases FILE` or `:score maximize` ranks them\n");
  const std::string three = told(":top 3");
  EXPECT_EQ(told(":top"), three);
  EXPECT_EQ(told(":fill #2"), "pub fn variant() -> i64 { 3 }\n");
}

TEST_F(VariantsTest, ForPrograms) {
  told("", true);
  const std::string lines = told(
      ":cases data.csv\nx * ?[1.0, 2.0] + y * y\n:cases none\nfn f() -> i64 { ?k[1, 2] + ?[3] }\n"
      "f()",
      true);
  std::vector<nlohmann::json> answers;
  for (size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1)
    answers.push_back(nlohmann::json::parse(lines.substr(at, lines.find('\n', at) - at)));
  ASSERT_EQ(answers.size(), 5u);
  EXPECT_EQ(answers[1]["variants"], 2);
  EXPECT_EQ(answers[1]["type"], "f64");
  EXPECT_EQ(answers[1]["ranking"][0]["id"], "#1");
  EXPECT_EQ(answers[1]["ranking"][0]["program"], "x * 2.0 + y * y");
  EXPECT_EQ(answers[1]["ranking"][1]["first_failure"]["actual"], 5.0);
  EXPECT_EQ(answers[1]["ranking"][0]["decisions"], nlohmann::json::array());
  const nlohmann::json value = answers[4]["values"][1];
  EXPECT_EQ(value["value"], 5);
  EXPECT_EQ(value["program"], "f()");
  EXPECT_EQ(value["decisions"].dump(), R"([{"name":"k","text":"2"},{"name":null,"text":"3"}])");
}

}  // namespace
}  // namespace komuz::repl
