// SPDX-License-Identifier: Apache-2.0
// Filled sketches: the programs of their variants mean what the sketch means.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "engine/cases/signature.h"
#include "engine/testing/run_tests.h"
#include "mend/mend.h"
#include "services/format.h"
#include "tests/engine/sketch/sketches.h"
#include "tests/engine/sketch/whole_sketches.h"

namespace komuz::engine {
namespace {

using test::expression_sketch;
using test::TestSketch;

std::string formatted(const std::string& text) {
  frontend::Compiler compiler;
  const services::Formatted result = services::format(compiler, text);
  EXPECT_TRUE(result.ok) << text;
  return result.text;
}
std::string signature_of_entry(const CodeView& code) {
  const EntryChoice entry = choose_entry(code, "f");
  EXPECT_EQ(entry.refusal, "");
  return signature_of(code, code.functions[entry.function]).text();
}

// What holds of each variant: it compiles and formats, its entry is called as the sketch's, and
// nothing is left to decide.
class Agreement {
 public:
  explicit Agreement(const std::string& source) : sketch_(source) {
    frontend::Compilation program;
    compiler_.compile(sketch_.source, program);
    EXPECT_TRUE(program.ok) << source;
    if (program.ok) signature_ = signature_of_entry(program.code.view());
    has_free_holes_ = std::ranges::any_of(
        sketch_.sketch().holes, [](const Hole& hole) { return hole.form == HoleForm::Free; });
  }

  // All variants, or so many of them, evenly.
  void check(u64 most = 200) {
    const u64 step = sketch_.plan.count().is_exact ? sketch_.count() / most + 1 : 1;
    EXPECT_GT(sketch_.count(), 0u);
    for (u64 n = 0; n < std::min(sketch_.count(), most * step); n += step) check_variant(n);
  }

 private:
  void check_variant(u64 number) {
    const std::string text = sketch_.filled(number);
    SCOPED_TRACE("#" + std::to_string(number) + " of\n" + sketch_.source + "\n" + text);
    frontend::Compilation program;
    for (const std::string& form : {text, formatted(text)}) {
      compiler_.compile(form, program);
      ASSERT_TRUE(program.ok) << diagnostic_message(program.diagnostics.at(0), form) << "\n"
                              << form;
      EXPECT_EQ(signature_of_entry(program.code.view()), signature_);
      const auto holes =
          std::ranges::count(program.code.instructions, Op::LoadHole, &Instruction::op);
      EXPECT_TRUE(holes == 0 || has_free_holes_) << form;
    }
  }

  TestSketch sketch_;
  frontend::Compiler compiler_;
  std::string signature_;
  bool has_free_holes_ = false;
};

TEST(Fill, VariantsOfTheGoldenFunctionsAgreeWithTheirSketches) {
  const std::vector<std::string> functions = test::golden_functions();
  EXPECT_EQ(functions.size(), 21u);
  for (const std::string& function : functions) Agreement(function).check();
}

TEST(Fill, VariantsAgreeWithTheirSketches) {
  for (const char* source : test::kWhole) Agreement(std::string(source) + "\n").check();
}

TEST(Fill, LiteralsAreWrittenWithTheTypeThatTheSketchGivesThem) {
  const auto filled = [](const char* source) { return TestSketch(source).filled(u64{0}); };
  EXPECT_EQ(filled("fn f(n: i32) -> i32 { let k = ?a[1, n]; k }"),
            "fn f(n: i32) -> i32 { let k = i32(1); k }");
  EXPECT_EQ(filled("fn f(x: f32) -> f32 { let k = ?[?(0.0..1.0, steps: 2), x]; k }"),
            "fn f(x: f32) -> f32 { let k = f32((0.0)); k }");
  EXPECT_EQ(filled("fn f(n: i64) -> i64 { let o = ?[None, Some(n)]; o.or(1) }"),
            "fn f(n: i64) -> i64 { let o = ({ let it: Option[i64] = None; it }); o.or(1) }");
  EXPECT_EQ(filled("fn f(n: i64) -> i64 { let k = ?[1, 2]; k + ?[n, 3] }"),
            "fn f(n: i64) -> i64 { let k = (1); k + n }");
}

// An integer is the float that it stands for, and is not computed with as an integer.
TEST(Fill, IntegersThatAreFloatsAreWrittenAsFloats) {
  const TestSketch sketch(
      "fn f(x: f64) -> f64 { let k = ?[1, -2, 1 / 3, 0x10, x, 2.5]; k * ?[3, 4] }");
  const auto filled = [&](u64 first) { return sketch.filled(2 * first); };
  EXPECT_EQ(filled(0), "fn f(x: f64) -> f64 { let k = 1.0; k * 3.0 }");
  EXPECT_EQ(filled(1), "fn f(x: f64) -> f64 { let k = (-2.0); k * 3.0 }");
  EXPECT_EQ(filled(2), "fn f(x: f64) -> f64 { let k = ({ let it: f64 = 1 / 3; it }); k * 3.0 }");
  EXPECT_EQ(filled(3), "fn f(x: f64) -> f64 { let k = ({ let it: f64 = 0x10; it }); k * 3.0 }");
  EXPECT_EQ(filled(4), "fn f(x: f64) -> f64 { let k = x; k * 3.0 }");
  EXPECT_EQ(filled(5), "fn f(x: f64) -> f64 { let k = (2.5); k * 3.0 }");
  EXPECT_EQ(TestSketch("fn f(x: f32) -> f32 { let k = ?[-1, x]; k * x }").filled(u64{0}),
            "fn f(x: f32) -> f32 { let k = f32(-1.0); k * x }");
  Agreement(
      "pub fn f(x: f64) -> f64 { f64(?s(f32(x))) }\n"
      "space s(x: f32) -> f32 depth 1 { x, 1, -2, 1 / 3, s * s }\n")
      .check();
  Agreement(
      "pub fn f(x: f64) -> f64 { ?e(x) }\nspace e(x: f64) -> f64 depth 1 { x, 1, 1 / 3, e * 2 }\n")
      .check();
  // `x ** 7` would be a product, and what a hole gives is a number.
  EXPECT_EQ(TestSketch("fn f(x: f64) -> f64 { x ** ?[2, (7)] }").filled(u64{0}),
            "fn f(x: f64) -> f64 { x ** 2.0 }");
  Agreement(
      "pub fn f(x: f64) -> f64 { x ** ?a[2, 7, (3)] + x ** -?b[2, 3] + ?c[x, 3] ** ?d(x) }\n"
      "space d(x: f64) -> f64 depth 1 { 2, 7, x, (d) }\n")
      .check();
}

// A parameter is a variable whatever its first letter is; a constant may be a literal, whose type is open.
TEST(Fill, VariablesWithCapitalsTakeThePlaceOfParameters) {
  const auto filled = [](const char* source) { return TestSketch(source).filled(u64{0}); };
  EXPECT_EQ(filled("fn f(R: f64) -> f64 { ?t(R) }\nspace t(R: f64) -> f64 depth 0 { ?u(R) }\n"
                   "space u(R: f64) -> f64 depth 0 { R * R }"),
            "fn f(R: f64) -> f64 { (R * R) }\n");
  EXPECT_NE(filled("const C: i32 = 2;\nfn f(x: i32) -> i32 { ?t(C, x) }\n"
                   "space t(C: i32, x: i32) -> i32 depth 0 { C + x }")
                .find("let C: i32 = C;"),
            std::string::npos);
}

TEST(Fill, SmallSketchesHaveDistinctVariants) {
  const TestSketch sketch = expression_sketch("?a[n, -n] * ?[?(1..4), m] - ?a[1, 2]");
  const std::vector<std::string> texts = sketch.all_filled();
  EXPECT_EQ(texts.size(), 8u);
  EXPECT_EQ(std::set(texts.begin(), texts.end()).size(), texts.size());
  EXPECT_EQ(texts[0], "fn f(n: i64, m: i64) -> i64 { n * (1) - 1 }");
  EXPECT_EQ(texts[7], "fn f(n: i64, m: i64) -> i64 { -n * m - 2 }");
  // What is decided and then not taken makes duplicates.
  const std::vector<std::string> twice = expression_sketch("?a[?b[1, 2], 3]").all_filled();
  EXPECT_NE(twice[0], twice[1]);
  EXPECT_EQ(twice[2], twice[3]);
}

// Equal for texts that differ in points of grids alone, however long these are, and for no others.
TEST(Fill, ShapesSayWhatATextIsMadeOf) {
  const TestSketch sketches[] = {
      expression_sketch(
          "?a[n, m * ?k(1..=12) + n, ?k * n + ?(3..=5)] - ?b[m, -n, (m)] * ?(7..=11)"),
      TestSketch(
          "fn f(x: f64) -> f64 { ?e(x, x * x) }\n"
          "space e(x: f64, y: f64) -> f64 depth 2 { x, y, ?(0.0..=3.0, steps: 4), e + e }\n")};
  for (const TestSketch& sketch : sketches) {
    Fill fill(sketch.source, sketch.plan);
    std::map<std::string, u64> shapes;
    std::set<u64> distinct;
    std::string text;
    for (u64 n = 0; n < sketch.count(); ++n) {
      ASSERT_TRUE(fill.write(sketch.decisions(n), text));
      std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
      const auto [known, is_new] = shapes.emplace(text, fill.shape());
      EXPECT_EQ(known->second, fill.shape()) << text;
      if (is_new) {
        EXPECT_TRUE(distinct.insert(fill.shape()).second) << text;
      }
    }
    EXPECT_GT(shapes.size(), 1u);
    EXPECT_LT(shapes.size(), sketch.count());
  }
}

TEST(Fill, ListsThatAreNoDecisionsAreRefused) {
  const TestSketch sketch = expression_sketch("?a[n, -n]");
  std::string text;
  for (const Decisions& bad : {Decisions{}, Decisions{2}, Decisions{0, 0}})
    EXPECT_FALSE(Fill(sketch.source, sketch.plan).write(bad, text));
}

// The tests that a variant holds pass: `f` gives what the space's alternatives say of the arguments.
void expect_passes(const TestSketch& sketch, const Decisions& decisions,
                   const std::string& assertion) {
  const std::string text =
      sketch.filled(decisions) + "\ntest \"value\" { assert " + assertion + "; }\n";
  frontend::Compiler compiler;
  frontend::Compilation program;
  compiler.compile(text, program);
  ASSERT_TRUE(program.ok) << diagnostic_message(program.diagnostics.at(0), text) << "\n" << text;
  const std::vector<TestResult> results = run_tests(program.code.view());
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].passed) << describe(results[0]) << "\n" << text;
}

TEST(Fill, ArgumentsAreNotCaptured) {
  // By the parameters' own names.
  const TestSketch swapped(
      "fn f(x: f64, y: f64) -> f64 { ?s(y, x * 1.0) }\nspace s(x: f64, y: f64) -> f64 depth 1 { x, "
      "s - y }\n");
  expect_passes(swapped, {0}, "f(5.0, 3.0) == 3.0");
  expect_passes(swapped, {1, 0}, "f(5.0, 3.0) == -2.0");
  const TestSketch renamed(
      "fn f(x: f64, y: f64) -> f64 { ?s(y, x) }\nspace s(x: f64, y: f64) -> f64 depth 1 { x, s - y "
      "}\n");
  expect_passes(renamed, {1, 0}, "f(5.0, 3.0) == -2.0");
  // By a name that an alternative binds: the variable `a` is not the `a` of the block.
  const TestSketch block(
      "fn f(a: f64) -> f64 { ?s(a) }\nspace s(x: f64) -> f64 depth 0 { { let a = x * 2.0; a + x } "
      "}\n");
  expect_passes(block, {0}, "f(3.0) == 9.0");
  // What is nested in a block means the parameter, not what the block calls by its name.
  const TestSketch shadow(
      "fn f(a: f64) -> f64 { ?s(a) }\nspace s(x: f64) -> f64 depth 1 { x, { let x = x + 1.0; s * x "
      "} }\n");
  expect_passes(shadow, {1, 0}, "f(3.0) == 12.0");
  const TestSketch lambda(
      "fn f(xs: List[i64, 4]) -> i64 { ?s(xs, 10) }\n"
      "space s(xs: List[i64, 4], x: i64) -> i64 depth 1 { x, xs.map(x => x * s).sum() }\n");
  expect_passes(lambda, {1, 0}, "f([1, 2]) == 30");
  // By a parameter whose name is in the text of a slice.
  const TestSketch slice(
      "fn f(k: [i64], n: i64) -> i64 { ?s(k[n..k.len()], n + 1) }\n"
      "space s(xs: [i64], n: i64) -> i64 depth 0 { xs.len() * 10 + n, ?t(xs[1..xs.len()], n * 2) "
      "}\n"
      "space t(ys: [i64], n: i64) -> i64 depth 0 { ys.len() * 10 + n }\n");
  expect_passes(slice, {0}, "f([1, 2, 3, 4], 1) == 32");
  expect_passes(slice, {1, 0}, "f([1, 2, 3, 4], 1) == 24");
}

TEST(Fill, ArgumentsAreEvaluatedOnce) {
  const TestSketch sketch(
      "fn f(n: i64) -> i64 { ?s(n / 0) }\nspace s(x: i64) -> i64 depth 1 { 1, x + s }\n");
  expect_passes(sketch, {0}, "traps(f(1), DIV_ZERO)");
  EXPECT_EQ(sketch.filled({1, 0}), "fn f(n: i64) -> i64 { let x: i64 = n / 0; (x + 1) }\n");
}

TEST(Fill, ArgumentsThatAreVariablesAreWrittenInPlace) {
  const char* space = "space s(x: f64, y: f64) -> f64 depth 0 { x / y }\n";
  const auto filled = [&](const std::string& use) {
    return TestSketch("fn f(x: f64, y: f64) -> f64 { " + use + " }\n" + space).filled(u64{0});
  };
  EXPECT_EQ(filled("?s(y, x)"), "fn f(x: f64, y: f64) -> f64 { (y / x) }\n");
  EXPECT_EQ(filled("?s(x, 2.0)"), "fn f(x: f64, y: f64) -> f64 { let y: f64 = 2.0; (x / y) }\n");
  // A `let` of the parameter's own name would hide the variable.
  EXPECT_EQ(filled("?s(y, 2.0)"),
            "fn f(x: f64, y: f64) -> f64 { let y_1: f64 = 2.0; (y / y_1) }\n");
  // A block may change the variable after it was looked at.
  const TestSketch changed(
      "fn f(n: i64) -> i64 { var k = n; ?s(k, { k = 2; k }) }\n"
      "space s(a: i64, b: i64) -> i64 depth 0 { a * 10 + b }\n");
  expect_passes(changed, {0}, "f(1) == 12");
}

TEST(Fill, ParenthesesStandWhereTheyAreNeeded) {
  const auto all = [](const std::string& expression) {
    std::string out;
    for (const std::string& text : expression_sketch(expression).all_filled())
      out += text.substr(text.find('{') + 1, text.rfind('}') - text.find('{') - 1) + "|";
    return out;
  };
  EXPECT_EQ(all("n - ?[n * m, n + m, -n, n]"), " n - n * m | n - (n + m) | n - -n | n - n |");
  EXPECT_EQ(all("?[n * m, n + m, n ** m] * m"), " n * m * m | (n + m) * m | n ** m * m |");
  EXPECT_EQ(all("?[n ** m, -n] ** ?[m ** n, m * n]"),
            " (n ** m) ** m ** n | (n ** m) ** (m * n) | (-n) ** m ** n | (-n) ** (m * n) |");
  EXPECT_EQ(
      all("i64(?[n < m, true] == ?[n < m, n & m == 0 || true])"),
      " i64((n < m) == (n < m)) | i64((n < m) == (n & m == 0 || true)) | i64(true == (n < m)) | "
      "i64(true == (n & m == 0 || true)) |");
  // A line that starts with a sign goes on with the one above.
  EXPECT_EQ(all("let a = n\n ?[-2, 3] + a"), " let a = n\n (-2) + a | let a = n\n 3 + a |");
  EXPECT_EQ(all("let a = n\n ?(-1..1) + a"), " let a = n\n (-1) + a | let a = n\n 0 + a |");
  EXPECT_EQ(
      all("?[n + m, n].abs() - ?[if n > m { n } else { m }, n - (if n > m { n } else { m })]"),
      " (n + m).abs() - (if n > m { n } else { m }) | (n + m).abs() - (n - (if n > m { n } else "
      "{ m })) | n.abs() - (if n > m { n } else { m }) | n.abs() - (n - (if n > m { n } else { m "
      "})) |");
}

TEST(Fill, ValuesThatNoStatementNeedsAreDropped) {
  TestSketch sketch(
      "fn f(n: i64) -> i64 {\n"
      "    var xs: List[i64, 4] = [1, 2, n];\n"
      "    ?way[{ var z = 3; xs.pop() }, { xs.push(z(2)); }, {}, { if n > 3 { xs.pop() } else { "
      "xs.pop() } // either\n"
      "    }, xs.pop(), match n { 1 => xs.pop(), _ => xs.pop() }]\n"
      "    xs.len()\n"
      "}\n"
      "fn z(n: i64) -> i64 { n }\n");
  Agreement(sketch.source).check();
  EXPECT_NE(sketch.filled(u64{0}).find("({  var z = 3; xs.pop() ; })"), std::string::npos);
}

TEST(Fill, WhatIsBoundForAWholeBlockIsBoundInIt) {
  const std::string space = "space s(x: f64) -> f64 depth 0 { x * x }\n";
  const auto filled = [&](const std::string& function) {
    return TestSketch(function + "\n" + space).filled(u64{0});
  };
  EXPECT_EQ(filled("fn f(n: i64) -> f64 { ?s(f64(n)) }"),
            "fn f(n: i64) -> f64 { let x: f64 = f64(n); (x * x) }\n");
  EXPECT_EQ(filled("fn f(n: i64) -> f64 { let x = 1.0; ?s(f64(n) + x) }"),
            "fn f(n: i64) -> f64 { let x = 1.0; let x: f64 = f64(n) + x; (x * x) }\n");
  EXPECT_EQ(filled("fn f(n: i64) -> f64 { ?s(f64(n)) + 1.0 }"),
            "fn f(n: i64) -> f64 { ({ let x: f64 = f64(n); (x * x) }) + 1.0 }\n");
  // What stands before it may be a comment.
  EXPECT_EQ(filled("fn f(n: i64) -> f64 { // {\n ?s(f64(n)) }"),
            "fn f(n: i64) -> f64 { // {\n ({ let x: f64 = f64(n); (x * x) }) }\n");
}

TEST(Fill, BytesAreWrittenAsTheSketchWritesThem) {
  const auto filled = [](const std::string& grid, u64 number) {
    return TestSketch("fn f(c: u8) -> bool { c == ?(" + grid + ") }").filled(number);
  };
  EXPECT_EQ(filled("'a'..='z'", 1), "fn f(c: u8) -> bool { c == ('b') }");
  EXPECT_EQ(filled("97..=99", 1), "fn f(c: u8) -> bool { c == 98 }");
  // What has no plain form as a byte says its type.
  EXPECT_EQ(filled("' '..='~'", 7), "fn f(c: u8) -> bool { c == u8(39) }");
}

// A space goes with the comments that speak of it.
TEST(Fill, SpacesAreLeftOut) {
  const TestSketch sketch(
      "// The entry.\n"
      "fn f(n: i64) -> i64 { ?s(n) } // it\n"
      "\n"
      "/// What is expanded.\n"
      "\n"
      "// In plain words.\n"
      "space s(x: i64) -> i64 depth 1 { // inside\n"
      "    x, s + 1 } // behind\n"
      "/// Of g.\n"
      "/// >>> g() == 1\n"
      "fn g() -> i64 { 1 }\n"
      "\n"
      "// Apart.\n"
      "\n"
      "space t() -> i64 depth 0 { 1 }");
  EXPECT_EQ(sketch.filled(u64{0}),
            "// The entry.\n"
            "fn f(n: i64) -> i64 { n } // it\n"
            "\n"
            "/// Of g.\n"
            "/// >>> g() == 1\n"
            "fn g() -> i64 { 1 }\n"
            "\n"
            "// Apart.\n"
            "\n");
}

}  // namespace
}  // namespace komuz::engine
