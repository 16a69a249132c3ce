// SPDX-License-Identifier: Apache-2.0
// The editor's information about inputs that are being typed.
#include "repl/assistant.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace komuz::repl {
namespace {

// One module of files.
struct OneModule final : engine::ModuleFiles {
  std::optional<engine::ModuleText> read(std::string_view path) override {
    if (path != "lib.packing") return std::nullopt;
    return engine::ModuleText{"lib/packing.komuz", "pub fn first_fit(n: i64) -> i64 { n }\n"};
  }
  std::vector<std::string> list() override { return {"lib.packing"}; }
};

class AssistantTest : public testing::Test {
 protected:
  std::vector<std::string> completed(std::string_view text) {
    std::vector<std::string> names;
    for (const editor::Candidate& candidate : assistant_.complete(text, text.size()).candidates)
      names.push_back(candidate.text);
    return names;
  }
  OneModule files_;
  Session session_{&files_};
  Variants variants_{session_, {}, {}};
  Assistant assistant_{session_, variants_, [](const std::string&) {
                         return std::vector<std::string>{"b.komuz", "a.komuz"};
                       }};
};

TEST_F(AssistantTest, CompletionReadsTheModulesThatAnInputNames) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(completed("use lib.packing.{fi"), Names{"first_fit"});
  EXPECT_EQ(completed("use lib.packing;"), Names{});
  EXPECT_EQ(completed("1 + std.math.ler"), Names{"lerp"});
}

TEST_F(AssistantTest, CompletionKnowsWhatElementsWant) {
  ASSERT_FALSE(session_.evaluate({"fn is_far(x: f64) -> bool { x > 9.0 }", "input"}).is_failure());
  ASSERT_FALSE(
      session_.evaluate({"let (n, xs, far) = (3, [1.0, 2.0], 9.5)", "input"}).is_failure());
  EXPECT_EQ(completed("xs.filter(").at(0), "is_far");
  EXPECT_EQ(std::ranges::count(completed("xs.filter("), "sqrt"), 0);
  EXPECT_EQ(completed("xs.contains(").at(0), "far");
  EXPECT_EQ(completed("xs.get(").at(0), "n");
}

// An input that is right is never said to be wrong while it is typed.
TEST_F(AssistantTest, OfHalfAnInputNothingIsSaid) {
  ASSERT_FALSE(session_.evaluate({"let (n, c) = (3, true)", "input"}).is_failure());
  for (const std::string_view whole :
       {"let v: f64 = 2.5", "var w = n + 1", "let (a, b): (i64, bool) = (n, c)",
        "fn f(x: f64, y: [i64]) -> f64 { x }", "fn g() -> List[i64, 8] { [1] }", "const A: i64 = 4",
        "type P = P(x: f64, y: f64)", "type S = A(x: i64) | B", "pub fn h(x: f64) -> f64 { x }",
        "use std.math", "use std.math.{lerp, gcd}", "if c { n } else { 4 }",
        "for i in 0..n { assert i >= 0; }", "while c limit 10 { assert c; }",
        "match n { 0 => 1, _ => 2 }", "test \"t\" { assert true; }",
        "prop \"p\" (k: i64 in 0..9) { assert k < 9; }", "(0..n).map(i => i * i).sum()",
        "-n + 2 * (n - 1)"})
    for (size_t k = 0; k <= whole.size(); ++k) {
      const editor::Description said = assistant_.describe(whole.substr(0, k));
      for (const auto& part : said.line)
        EXPECT_NE(part.style, editor::Style::Problem) << whole.substr(0, k) << ": " << part.text;
    }
}

TEST_F(AssistantTest, WhatIsWrongAndGoesOnIsSaid) {
  for (const std::string_view text :
       {"let mut m = 4", "fn f(x) -> f64 { x }", "let v: f64 = 2 = 3", "1 + + 2 + 3",
        "sqrt(true) + 1.0", "1.5 + true", "true.sum() + 1", "(0..3) + 4"}) {
    const editor::Description said = assistant_.describe(text);
    ASSERT_FALSE(said.line.empty()) << text;
    EXPECT_EQ(said.line[0].style, editor::Style::Problem) << text;
  }
}

// Right behind the name of a command that is the word, and its files are not.
TEST_F(AssistantTest, CompletionOfACommandIsItsNameOrItsFiles) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(completed(":load"), Names{":load "});
  EXPECT_EQ(completed(":load "), (Names{"a.komuz", "b.komuz"}));
  EXPECT_EQ(completed(":load b"), Names{"b.komuz"});
}

TEST_F(AssistantTest, CompletionKnowsPlacesOfTypesInUnfinishedInputs) {
  using Names = std::vector<std::string>;
  for (const std::string_view text :
       {"let v: f", "fn g(x: f", "fn g(x: i64, y: f", "fn g() -> f", "let v: Option[f",
        "let v: List[f", "let v: [f", "let v: (i64, f", "type P = P(x: f", "const A: f",
        "prop \"p\" (x: f", "fn g(\n    x: f"})
    EXPECT_EQ(completed(text), (Names{"f32", "f64"})) << text;
  EXPECT_EQ(completed("let v: L"), Names{"List"});
  for (const std::string_view text :
       {"let v: ", "let v: List[", "fn g(x: ", "fn g() -> ", "type P = P(x: ", "const A: "}) {
    const Names all = completed(text);
    for (const std::string_view name : {"List", "Option", "bool", "i64"})
      EXPECT_EQ(std::ranges::count(all, name), 1) << text << " " << name;
    EXPECT_EQ(std::ranges::count(all, "floor"), 0) << text;
  }
}

TEST_F(AssistantTest, CompletionListsWhatMayStandBehindABracket) {
  ASSERT_FALSE(session_.evaluate({"let (n, h) = (3, 2.5)", "input"}).is_failure());
  ASSERT_FALSE(session_.evaluate({"fn scale(x: f64) -> f64 { x * 2.0 }", "input"}).is_failure());
  for (const std::string_view text : {"sqrt(", "sqrt( ", "1.0 + sqrt(", "f64(n) * max(h, "})
    EXPECT_EQ(completed(text).at(0), "h") << text;
  EXPECT_EQ(completed("popcount(").at(0), "n");
  for (const std::string_view text : {"(", "[", "(n, [", "scale("}) {
    const std::vector<std::string> all = completed(text);
    EXPECT_EQ(std::ranges::count(all, "n"), 1) << text;
    EXPECT_EQ(std::ranges::count(all, "sqrt"), 1) << text;
  }
  // Anything may stand behind what is no bracket.
  EXPECT_EQ(completed("n + 1; "), std::vector<std::string>{});
}

TEST_F(AssistantTest, CompletionOfAPathOpensItsNames) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(completed("use std.math."), Names{"{"});
  EXPECT_EQ(completed("use lib.packing."), Names{"{"});
  EXPECT_EQ(completed("use lib."), Names{"packing"});
  EXPECT_EQ(completed("use lib.packing.{"), Names{"first_fit"});
  EXPECT_EQ(completed("use std.math.{l"), (Names{"lerp", "log1p", "lcm"}));
}

// The function that an input is compiled as is not one that it can call.
TEST_F(AssistantTest, CompletionKnowsNothingOfWhatIsPutAroundAnInput) {
  using Names = std::vector<std::string>;
  ASSERT_FALSE(session_.evaluate({"let n = 3", "input"}).is_failure());
  ASSERT_FALSE(session_.evaluate({"let p = (1, 2)", "input"}).is_failure());
  EXPECT_EQ(completed("n.sn"), Names{});
  EXPECT_EQ(completed("p."), (Names{"0", "1"}));
}

}  // namespace
}  // namespace komuz::repl
