// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/run_tests.h"

#include <gtest/gtest.h>

#include "engine/values/compared_text.h"
#include "frontend_gpu/frontend.h"
#include "mend/mend.h"

namespace komuz::engine {
namespace {

struct Ran {
  frontend::Compilation program;
  std::vector<TestResult> results;
};

void run(std::string_view source, Ran& out, u64 fuel = kDefaultFuel, std::stop_token stop = {}) {
  frontend::Compiler compiler;
  compiler.compile(source, out.program);
  ASSERT_TRUE(out.program.ok) << diagnostic_message(out.program.diagnostics.at(0), source);
  out.results = run_tests(out.program.code.view(), {.fuel = fuel, .stop = std::move(stop)});
}

constexpr std::string_view kSource = R"(fn half(n: i64) -> i64 { assert n % 2 == 0; n / 2 }
test "good" { assert half(4) == 2; assert traps(1 / 0, DIV_ZERO); }
test "assertion" { assert half(4) == 3; }
test "inside" { assert half(3) == 1; }
test "no trap" { assert traps(half(2), ASSERT); }
test "other trap" { assert traps(1 / 0, OVERFLOW); }
)";

TEST(RunTests, EachFailureHasItsReasonAndPlace) {
  Ran ran;
  run(kSource, ran);
  ASSERT_EQ(ran.results.size(), 5u);
  const CodeView code = ran.program.code.view();
  const auto line_of = [&](const TestResult& r) { return place_of(kSource, r.place).line; };
  const auto name_of = [&](const TestResult& r) { return code.name(code.functions[r.function]); };
  EXPECT_TRUE(ran.results[0].passed);
  EXPECT_EQ(name_of(ran.results[0]), "good");
  EXPECT_EQ(describe(ran.results[0]), "passed");

  EXPECT_FALSE(ran.results[1].passed);
  EXPECT_EQ(ran.results[1].trap, Trap::Assert);
  EXPECT_EQ(ran.results[1].depth, 1u);
  EXPECT_EQ(line_of(ran.results[1]), 3u);
  EXPECT_EQ(describe(ran.results[1]), "trap ASSERT: an assertion is false: 2 == 3");

  EXPECT_EQ(ran.results[2].trap, Trap::Assert);
  EXPECT_EQ(ran.results[2].depth, 2u);
  EXPECT_EQ(line_of(ran.results[2]), 1u);

  EXPECT_FALSE(ran.results[3].passed);
  EXPECT_EQ(line_of(ran.results[3]), 5u);
  EXPECT_EQ(describe(ran.results[3]), "expected the trap ASSERT, but it gave a value");

  EXPECT_FALSE(ran.results[4].passed);
  EXPECT_EQ(line_of(ran.results[4]), 6u);
  EXPECT_EQ(describe(ran.results[4]),
            "expected the trap OVERFLOW, but it ended in trap DIV_ZERO: division by zero");
}

// What is asserted may be more than a comparison; then the values of one of its parts would mislead.
TEST(RunTests, AFailedComparisonShowsItsValues) {
  Ran ran;
  run(R"(fn less(a: f64, b: f64) -> () { assert a < b; }
test "floats" { less(1.5, -0.0); }
test "bool" { var b = false; b = 1 > 2; assert b != false; }
test "last" { assert 1 == 1 && 2 >= 3; }
test "first" { assert 1 == 2 && 2 >= 1; }
test "not" { assert !(1 == 1); }
test "name" { let b = 1 == 2; assert b; }
test "tuple" { assert (1, 2) == (1, 3); }
)",
      ran);
  std::vector<std::string> said;
  for (const TestResult& result : ran.results) said.push_back(describe(result).substr(34));
  EXPECT_EQ(said, (std::vector<std::string>{": 1.5 < -0.0", ": false != false", ": 2 >= 3", "", "",
                                            "", ""}));
}

TEST(RunTests, FuelBoundsATest) {
  Ran ran;
  run("test \"endless\" { var n = 0; while true { n = 1; } }", ran, 1000);
  ASSERT_EQ(ran.results.size(), 1u);
  EXPECT_FALSE(ran.results[0].passed);
  EXPECT_EQ(ran.results[0].trap, Trap::Fuel);
  EXPECT_EQ(ran.results[0].fuel, 1000u);
}

TEST(RunTests, NamesChooseTests) {
  Ran ran;
  run(kSource, ran);
  const auto chosen = [&](std::vector<std::string_view> names) {
    std::string text;
    const CodeView code = ran.program.code.view();
    for (const TestResult& r : run_tests(code, {.names = names}))
      text += std::string(code.name(code.functions[r.function])) + ";";
    return text;
  };
  EXPECT_EQ(chosen({"trap"}), "no trap;other trap;");
  EXPECT_EQ(chosen({"good", "her"}), "good;other trap;");
  EXPECT_EQ(chosen({"nothing"}), "");
}

TEST(RunTests, AnExampleFailsAtItsComment) {
  constexpr std::string_view kExamples =
      "/// >>> half(4) == 2\n  /// >>> half(6) == 4\n"
      "fn half(n: i64) -> i64 { n / 2 }\n";
  frontend::Compiler compiler({.examples = true});
  frontend::Compilation program;
  compiler.compile(kExamples, program);
  ASSERT_TRUE(program.ok);
  const CodeView code = program.code.view();
  const std::vector<TestResult> results = run_tests(code);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(results[0].passed);
  EXPECT_EQ(code.name(code.functions[results[1].function]), "half");
  EXPECT_EQ(results[1].place, kExamples.find("/// >>> half(6)"));
  const auto compared = compared_text(results[1].compared);
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->left + std::string(compared->op) + compared->right, "3==4");
  // Without examples the text has the same identity, and they are comments.
  frontend::Compilation plain;
  frontend::Compiler().compile(kExamples, plain);
  EXPECT_EQ(plain.identity, program.identity);
  EXPECT_EQ(plain.code.functions.size(), 1u);
}

// The texts of what failed in each test of a program, which has examples.
std::vector<std::string> descriptions(std::string_view source) {
  frontend::Compiler compiler({.examples = true});
  frontend::Compilation program;
  compiler.compile(source, program);
  if (!program.ok) return {diagnostic_message(program.diagnostics.at(0), source)};
  const std::vector<frontend::AssertedComparison> asserted =
      frontend::list_asserted(compiler.columns());
  std::vector<std::string> texts;
  for (const TestResult& result : run_tests(program.code.view()))
    texts.push_back(describe(result, asserted));
  return texts;
}

TEST(RunTests, ValuesOfSeveralCellsAreShown) {
  const std::string of = "trap ASSERT: an assertion is false";
  const std::vector<std::string> expected = {
      of + ": P(x: 1.0, y: 2.0) == P(x: 1.0, y: 3.0)",
      of + ": [1, 2] == [1, 3]",
      of + ": (1, true) != (1, true)",
      of + ": \"abc\" == \"abd\"",
      of + ": Some(1) == None",
      of + ": [2, 2] != [2, 2]",
      of + ": P(x: 1.0, y: 0.0) == P(x: 0.0, y: 1.0)",
      of + ": (1, 2) == (1, 3)",
      of,
      of,
  };
  EXPECT_EQ(descriptions(R"(type P = P(x: f64, y: f64);
fn some(n: i64) -> Option[i64] { Some(n) }
test "record" { assert P(1.0, 2.0) == P(1.0, 3.0); }
test "list" { let xs = [1, 2].list(4); assert xs == [1, 3].list(4); }
test "tuple" { let t = (1, true); assert t != t; }
test "bytes" { assert "abc" == "abd"; }
test "behind &&" { assert some(1) == Some(1) && (some(1) == None); }
test "in a loop" { for i in 0..3 { assert [i, i] != [2, 2]; } }
prop "of a property" (a: P) { assert P(x: a.y, y: a.x) == a; }
/// >>> pair(1) == (1, 3)
fn pair(n: i64) -> (i64, i64) { (n, n + 1) }
fn is_pair(n: i64) -> bool { pair(n) == (n, n) }
test "of a call" { assert is_pair(1); }
test "of a field" { assert (pair(1).0, 2, false).2; }
)"),
            expected);
}

TEST(RunTests, OfLongValuesThePartAroundTheirDifferenceIsShown) {
  const std::vector<std::string> texts = descriptions(
      "fn steps(n: i64) -> List[i64, 300] { (0..300).map(i => i + i / n).list(300) }\n"
      "test \"long\" { assert steps(1_000) == steps(200); }\n");
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0],
            "trap ASSERT: an assertion is false: …197, 198, 199, 200, 201, 202, 203, 204, 205, "
            "206, 207, 208, … == "
            "…197, 198, 199, 201, 202, 203, 204, 205, 206, 207, 208, 209, …");
}

TEST(RunTests, AStopLeavesTheRestOut) {
  std::stop_source source;
  source.request_stop();
  Ran ran;
  run(kSource, ran, kDefaultFuel, source.get_token());
  EXPECT_TRUE(ran.results.empty());
}

TEST(RunTests, AProgramWithoutTests) {
  Ran ran;
  run("pub fn f() -> i64 { 1 }", ran);
  EXPECT_TRUE(ran.results.empty());
}

}  // namespace
}  // namespace komuz::engine
