// SPDX-License-Identifier: Apache-2.0
// What comes of refactorings, and where they are not offered: tests/services/golden/refactorings.txt. And that programs of the
// repository pass their tests afterwards as before.
#include "services/refactor/refactor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/random.h"
#include "engine/candidates/load_modules.h"
#include "engine/testing/run_tests.h"
#include "frontend_gpu/findings/collect.h"
#include "services/refactor/expression.h"
#include "tests/services/golden_text.h"
#include "tests/services/program_parts.h"

namespace komuz::test {
namespace {

using services::Refactoring;

struct MarkedText {
  std::string text;
  u32 begin = 0, end = 0;
};
// `«x + y»` is selected, `«»` is a place.
MarkedText unmarked(std::string text) {
  MarkedText out;
  constexpr std::string_view kOpen = "«", kClose = "»";
  out.begin = static_cast<u32>(text.find(kOpen));
  text.erase(out.begin, kOpen.size());
  out.end = static_cast<u32>(text.find(kClose));
  text.erase(out.end, kClose.size());
  out.text = std::move(text);
  return out;
}

std::string made(std::string text, const std::vector<Edit>& edits) {
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    text.replace(edit->begin, edit->end - edit->begin, edit->text);
  return text;
}

std::optional<std::string> refactored(Refactoring refactoring, const MarkedText& marked) {
  engine::ModuleLoader modules;
  modules.load(marked.text);
  services::Analysis analysis(&modules.library());
  analysis.read(marked.text);
  const auto edits = services::refactor(refactoring, analysis, marked.begin, marked.end);
  if (edits) {
    EXPECT_TRUE(services::may_refactor(refactoring, analysis, marked.begin, marked.end));
  }
  return edits ? std::optional(made(marked.text, *edits)) : std::nullopt;
}

struct RefactoringCase {
  Refactoring refactoring;
  std::string_view marked;
};
constexpr RefactoringCase kRefactoringCases[] = {
    {Refactoring::ExtractFunction,
     "// Two points.\nfn dist(x: f64, y: f64) -> f64 {\n    // the root\n    sqrt(«x * x + y * "
     "y»)\n}\n\nfn "
     "other() -> f64 { 1.0 }\n"},
    // Names that are taken, a `var`, a list, a parameter of a lambda inside.
    {Refactoring::ExtractFunction,
     "fn extracted(xs: List[f64, 8]) -> f64 {\n    var k = 2.0;\n    k += 1.0;\n    1.0 + "
     "«xs.map(x => x * "
     "k).sum()» // the sum\n}\n"},
    {Refactoring::ExtractFunction,
     "fn f(n: i64) -> i64 {\n    let a = «{\n        let b = n * 2;\n        b + 1\n    }»;\n    "
     "a\n}\n"},
    // What leaves the function, what is changed outside, what the function calls itself, no expression, a hole.
    {Refactoring::ExtractFunction, "fn f(n: i64) -> i64 { 1 + «{ if n > 3 { return 4; } n }» }\n"},
    {Refactoring::ExtractFunction, "fn f(n: i64) -> i64 { var k = 1; «{ k += n; k }» }\n"},
    {Refactoring::ExtractFunction, "fn f(n: i64) -> i64 { 1 + n «* 2» }\n"},
    {Refactoring::ExtractFunction, "fn f(n: i64) -> i64 { «?[1, 2] * n» }\n"},
    {Refactoring::ExtractFunction, "fn f(n: i64) -> i64 { «n * x» }\n"},
    // Statements: what is changed outside, what is used behind them, the value of the block; in a loop.
    {Refactoring::ExtractFunction,
     "fn f(xs: List[f64, 8], k: f64) -> f64 {\n    var sum = 0.0;\n    «for x in xs {\n        "
     "sum += x * k;\n    }»\n    sum\n}\n"},
    {Refactoring::ExtractFunction,
     "fn f(x: f64) -> f64 {\n    «let y = x * 2.0;\n    // the other one\n    let z = y + "
     "1.0;»\n    z * y\n}\n"},
    {Refactoring::ExtractFunction,
     "fn f(x: f64) -> f64 {\n    let y = x;\n    «let z = y + 1.0;\n    z * y»\n}\n"},
    {Refactoring::ExtractFunction,
     "fn f(n: i64) -> i64 {\n    var a = 0;\n    var b = 1;\n    for i in 0..n {\n        «let t = "
     "a + b;\n        a = b;\n        b = t;»\n    }\n    a\n}\n"},
    {Refactoring::ExtractFunction,
     "fn f(n: i64) -> i64 {\n    var xs: List[i64, 8] = [];\n    «xs.push(n);\n    "
     "xs.push(n);»\n    xs.sum()\n}\n"},
    // What leaves a loop around them, two kinds of results, a part of a statement, a hole.
    {Refactoring::ExtractFunction,
     "fn f(n: i64) -> i64 {\n    for i in 0..n {\n        «if i > 3 { break; }»\n    }\n    "
     "n\n}\n"},
    {Refactoring::ExtractFunction,
     "fn f(n: i64) -> i64 {\n    var a = n;\n    «a += 1;\n    let b = a;»\n    a + b\n}\n"},
    {Refactoring::ExtractFunction,
     "fn f(n: i64) -> i64 {\n    let a = n;\n    let «b = a;\n    let c = b;»\n    c\n}\n"},
    {Refactoring::ExtractFunction,
     "fn f(n: i64) -> i64 {\n    «let a = n;\n    let b = a * ?[1, 2];»\n    b\n}\n"},
    {Refactoring::ExtractConstant,
     "/// Steps.\nfn f(t: f64) -> f64 {\n    let step = «0.5 * 0.1»; // in seconds\n    t * "
     "step\n}\n"},
    {Refactoring::ExtractConstant, "const VALUE: i64 = 3;\nfn f(n: i64) -> i64 { n + 10«»0 }\n"},
    {Refactoring::ExtractConstant, "fn f(n: i64) -> i64 { «n + 100» }\n"},
    {Refactoring::InlineLet,
     "fn f(x: f64) -> f64 {\n    // Twice.\n    let y«» = x + 1.0; // more\n    let z = y;\n    y "
     "* z\n}\n"},
    {Refactoring::InlineLet, "fn f(x: f64) -> f64 { let y = sqrt(x); «»y * y }\n"},
    {Refactoring::InlineLet, "fn f(x: f64) -> f64 {\n    let y: f64 = 2.0\n    x - «»y\n}\n"},
    // Another meaning where it is used: a name that is hidden, a variable that changes, a type of a literal.
    {Refactoring::InlineLet,
     "fn f(x: f64) -> f64 {\n    let y«» = x;\n    [1.0].map(x => x * y).sum()\n}\n"},
    {Refactoring::InlineLet,
     "fn f() -> i64 {\n    var k = 1;\n    let y«» = k;\n    k = 2;\n    y + k\n}\n"},
    {Refactoring::InlineLet, "fn f() -> u8 {\n    let y«»: u8 = 200;\n    (y +% 100) +% y\n}\n"},
    {Refactoring::InlineLet, "fn f() -> i64 {\n    let y«» = ?[1, 2];\n    y * y\n}\n"},
    {Refactoring::InlineLet, "fn f() -> i64 {\n    let (a«», b) = (1, 2);\n    a * b\n}\n"},
    {Refactoring::InlineLet, "fn f() -> i64 {\n    let a«» = // why\n        1;\n    a\n}\n"},
    {Refactoring::LiteralToHole, "fn f(x: f64) -> f64 { x * 2.«»5 + ?c(0.0..1.0, steps: 3) }\n"},
    {Refactoring::LiteralToHole, "fn f(n: i64) -> i64 { n + 1«»0 }\n"},
    {Refactoring::LiteralToHole, "fn f(n: i64) -> i64 { if «true» { n } else { 0 } }\n"},
    {Refactoring::LiteralToHole, "fn f(x: f64) -> f64 { -0.«»0 + x }\n"},
    {Refactoring::LiteralToHole, "const K: f64 = 2.«»5;\nfn f(x: f64) -> f64 { x * K }\n"},
    {Refactoring::LiteralToHole, "fn f(xs: List[f64, «»8]) -> f64 { xs.sum() }\n"},
    {Refactoring::ExpressionToChoice, "fn f(x: f64, y: f64) -> f64 { x «»* y + 1.0 }\n"},
    {Refactoring::ExpressionToChoice, "fn f(x: f64) -> bool { «x < 1.0» && x > 0.0 }\n"},
    {Refactoring::ExpressionToChoice, "fn f(x: f64) -> f64 { 1.0 + «sqrt(x)» }\n"},
    {Refactoring::ExpressionToChoice, "fn f(xs: List[f64, 8]) -> List[f64, 8] { «xs» }\n"},
    {Refactoring::ExpressionToChoice, "const K: f64 = «2.0 * 3.0»;\n"},
};

std::string_view name_of(Refactoring refactoring) {
  return services::kRefactorings[static_cast<size_t>(refactoring)].kind;
}

TEST(Refactor, MakesWhatItSays) {
  std::string page;
  for (const RefactoringCase& one : kRefactoringCases) {
    const auto after = refactored(one.refactoring, unmarked(std::string(one.marked)));
    page += "== " + std::string(name_of(one.refactoring)) + "\n" + std::string(one.marked) +
            "--\n" + after.value_or("(not offered)\n");
  }
  expect_golden("refactorings.txt", page);
}

// The names of tests, and whether they pass; empty: it does not compile.
std::vector<std::string> test_results(std::string_view text) {
  engine::ModuleLoader modules;
  modules.load(text);
  frontend::Compilation compilation;
  frontend::Compiler({.examples = true, .library = &modules.library()}).compile(text, compilation);
  std::vector<std::string> results;
  if (!compilation.ok) return results;
  const CodeView code = compilation.code.view();
  for (const engine::TestResult& result : engine::run_tests(code, {.samples = 20}))
    results.push_back(std::string(code.name(code.functions[result.function])) +
                      (result.passed ? " passes" : " fails"));
  return results;
}

// KOMUZ_SEEDS is the number of places that are asked about.
TEST(Refactor, KeepsWhatTestsSay) {
  const char* const wanted = std::getenv("KOMUZ_SEEDS");
  const u64 places = wanted == nullptr ? 400 : std::strtoull(wanted, nullptr, 10);
  constexpr Refactoring kKeeping[] = {Refactoring::ExtractFunction, Refactoring::ExtractConstant,
                                      Refactoring::InlineLet};
  std::vector<std::string> programs;
  for (const auto& path : corpus()) programs.push_back(read_text(path));
  u64 made_ones = 0;
  for (u64 seed = 1; seed <= places; ++seed) {
    Random random(seed);
    MarkedText marked;
    marked.text = random.pick(programs);
    services::Analysis analysis;
    analysis.read(marked.text);
    if (analysis.columns().nodes == 0) continue;
    const auto node = static_cast<frontend::Index>(random.below(analysis.columns().nodes));
    // Statements up to a `;` and those behind it.
    const frontend::Columns& c = analysis.columns();
    if (frontend::node_kind(c, node) == Node::Semi && c.token[node] < analysis.own_tokens()) {
      const frontend::Span span = frontend::subtree_span(c, node);
      marked.begin = span.begin;
      marked.end = std::min(span.end, static_cast<u32>(marked.text.size()));
    } else {
      const auto expression = services::expression_of(analysis, node);
      if (!expression) continue;
      marked.begin = expression->begin;
      marked.end = random.one_in(3) ? marked.begin : expression->end;
    }
    for (const Refactoring refactoring : kKeeping) {
      const auto after = refactored(refactoring, marked);
      if (!after) continue;
      ++made_ones;
      EXPECT_NE(*after, marked.text);
      EXPECT_EQ(test_results(*after), test_results(marked.text))
          << "seed " << seed << ", " << name_of(refactoring) << ":\n"
          << *after;
    }
  }
  EXPECT_GT(made_ones, places / 20);
}

}  // namespace
}  // namespace komuz::test
