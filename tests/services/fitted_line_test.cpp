// SPDX-License-Identifier: Apache-2.0
// Programs that contain the line which a score has fitted.
#include "services/results/fitted_line.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "engine/cases/signature.h"
#include "engine/testing/single_run.h"
#include "engine/values/value_text.h"
#include "services/format.h"

namespace komuz::test {
namespace {

std::string fitted(std::string_view source, const engine::ScoreLine& line = {2.5, 0.75},
                   std::string_view entry = {}) {
  const Result<std::string> made = services::with_line(source, entry, line);
  if (made.problem()) return made.problem().text();
  frontend::Compiler compiler;
  const services::Formatted formatted = services::format(compiler, made.value());
  EXPECT_TRUE(formatted.ok) << made.value();
  return formatted.text;
}

// What the only `pub fn` gives for one argument, as text.
std::string value_of(const std::string& source, std::string_view argument) {
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile(source, made);
  EXPECT_TRUE(made.ok) << source;
  if (!made.ok) return {};
  const CodeView code = made.code.view();
  const engine::EntryChoice entry = engine::choose_entry(code, {});
  EXPECT_EQ(entry.refusal, "") << source;
  const Function& function = code.functions[entry.function];
  const engine::Signature signature = engine::signature_of(code, function);
  std::vector<u64> cells(1);
  EXPECT_FALSE(engine::parse_value(signature.parameter_types.substr(2), argument,
                                   engine::ValueStyle::Text, cells));
  engine::SingleRun run;
  engine::run_single(code, static_cast<u32>(entry.function), cells, kDefaultFuel, run);
  std::string text;
  engine::print_value(text, signature.result_type, run.value, engine::ValueStyle::Text);
  return text;
}

TEST(FittedLine, AnExpressionBecomesAnOperand) {
  EXPECT_EQ(fitted("/// Squares.\npub fn f(x: f64) -> f64 { x * x }  // it does\n"),
            "/// Squares.\npub fn f(x: f64) -> f64 { 2.5 * (x * x) + 0.75 } // it does\n");
  EXPECT_EQ(fitted("pub fn f(x: f64) -> f64 { x + 1.0 }", {-2, -1e-9}),
            "pub fn f(x: f64) -> f64 { -2.0 * (x + 1.0) - 1e-09 }\n");
  // What changes nothing is left out.
  EXPECT_EQ(fitted("pub fn f(x: f64) -> f64 { x + 1.0 }", {1, 0}),
            "pub fn f(x: f64) -> f64 { x + 1.0 }\n");
  EXPECT_EQ(fitted("pub fn f(x: f64) -> f64 { sin(x) }", {0, 3}),
            "pub fn f(x: f64) -> f64 { 0.0 * sin(x) + 3.0 }\n");
  EXPECT_EQ(fitted("pub fn f(x: f64) -> f64 {\n    let y = x * x;\n    y - x\n}\n"),
            "pub fn f(x: f64) -> f64 {\n    let y = x * x;\n    2.5 * (y - x) + 0.75\n}\n");
}

TEST(FittedLine, OtherEntriesAreCalledByANewOne) {
  EXPECT_EQ(fitted("fn g(x: f64) -> f64 { x }\n\n/// Either.\npub fn f(x: f64, n: i64) -> f64 {\n"
                   "    if n > 0 { return g(x); }\n    x * x\n}\n"),
            "fn g(x: f64) -> f64 { x }\n\n/// Either.\npub fn f(x: f64, n: i64) -> f64 { 2.5 * "
            "f_formula(x, n) + 0.75 }\n\nfn f_formula(x: f64, n: i64) -> f64 {\n"
            "    if n > 0 { return g(x); }\n    x * x\n}\n");
  EXPECT_EQ(fitted("pub fn f(n: i64) -> i64 { n * n }"),
            "pub fn f(n: i64) -> f64 { 2.5 * f64(f_formula(n)) + 0.75 }\n\n"
            "fn f_formula(n: i64) -> i64 { n * n }\n");
  // Who called the entry goes on with the formula, and a name that is taken stays what it is.
  EXPECT_EQ(fitted("pub fn f(x: f64) -> f64 rec 9 { if x < 1.0 { x } else { f(x - 1.0) } }\n"
                   "fn f_formula() -> f64 { 1.0 }\n"
                   "test \"f\" { assert f(0.5) == 0.5; }\n"),
            "pub fn f(x: f64) -> f64 { 2.5 * f_formula2(x) + 0.75 }\n\n"
            "fn f_formula2(x: f64) -> f64 rec 9 { if x < 1.0 { x } else { f_formula2(x - 1.0) } }"
            "\n\n"
            "fn f_formula() -> f64 { 1.0 }\n\n"
            "test \"f\" { assert f_formula2(0.5) == 0.5; }\n");
}

TEST(FittedLine, TheEntryIsNamedOrTheOnlyOne) {
  const std::string_view two = "pub fn f(x: f64) -> f64 { x }\npub fn g(x: f64) -> f64 { x }\n";
  EXPECT_NE(fitted(two).find("--entry"), std::string::npos);
  EXPECT_EQ(fitted(two, {2, 0}, "g"),
            "pub fn f(x: f64) -> f64 { x }\n\npub fn g(x: f64) -> f64 { 2.0 * x }\n");
}

// Whatever its body and type: the program gives slope · value + intercept.
TEST(FittedLine, TheProgramGivesTheLine) {
  struct Formula {
    std::string source;
    std::string argument;
    f64 value;
  };
  const std::vector<Formula> formulas = {
      {"pub fn f(x: f64) -> f64 { x - 4.0 }", "3.0", -1},
      {"pub fn f(x: f64) -> f64 { if x > 0.0 { x } else { -x } }", "-3.0", 3},
      {"pub fn f(x: f64) -> f64 { match i64(x) { 1 => 5.0, _ => { let y = x; y + x } } }", "2.0",
       4},
      {"pub fn f(x: f64) -> f64 {\n  let y = x\n  y * y\n}", "3.0", 9},
      {"pub fn f(x: f64) -> f64 { var s = 0.0; for i in 0..3 { s += x; } s }", "2.0", 6},
      {"pub fn f(x: f64) -> f64 { { let y = x; y } }", "2.0", 2},
      {"pub fn f(x: f64) -> f64 { 1 / 2 }", "2.0", 0.5},
      {"pub fn f(x: f32) -> f32 { [x, 1.5].fold(0.0, (s, y) => s + y) }", "2.0", 3.5},
      {"pub fn f(x: i32) -> i32 { [x, 2].sum() }", "5", 7},
      {"pub fn f(x: u64) -> u64 { 18446744073709551615 - x }", "0", 18446744073709551615.0},
      {"pub fn f(x: bool) -> bool { !x }", "false", 1},
      {"pub fn f(x: f64) -> f64 { return x; }", "2.0", 2}};
  for (const engine::ScoreLine line : {engine::ScoreLine{2.5, 0.75}, {-3, 1e10}, {1, -2}, {0, 7}})
    for (const Formula& formula : formulas) {
      std::string expected;
      engine::print_scalar(expected, Scalar::F64,
                           std::bit_cast<u64>(line.slope * formula.value + line.intercept),
                           engine::ValueStyle::Text);
      EXPECT_EQ(value_of(fitted(formula.source, line), formula.argument), expected)
          << formula.source << " " << line.slope << "\n"
          << fitted(formula.source, line);
    }
}

}  // namespace
}  // namespace komuz::test
