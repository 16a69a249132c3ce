// SPDX-License-Identifier: Apache-2.0
// Derivatives by a program's own code, fits of one variant's numbers, and searches that fit all that they propose.
#include "engine/search/number_fit.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "engine/cases/suite.h"
#include "engine/results/report.h"
#include "engine/search/search.h"
#include "engine/sketch/grid/real_points.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine::test {
namespace {

u32 point_of(f64 number) { return nearest_real_point(number); }
f64 number_at(u32 at) { return std::bit_cast<f64>(real_cell(at, Scalar::F64)); }

std::string csv_of(const std::function<f64(f64)>& formula, int first, int last, f64 step) {
  std::string text = "x,expected\n";
  for (int k = first; k <= last; ++k) {
    char row[80];
    std::snprintf(row, sizeof row, "%.17g,%.17g\n", k * step, formula(k * step));
    text += row;
  }
  return text;
}
Suite suite_of(const std::string& csv) {
  Suite suite;
  const Problem problem =
      make_suite(table_of(csv), read_signature("(x: f64) -> f64").value(), suite);
  EXPECT_FALSE(problem) << problem.text();
  return suite;
}

struct FitSketch {
  explicit FitSketch(const std::string& body)
      : program(read_sketch("pub fn f(x: f64) -> f64 { " + body + " }", {})) {
    EXPECT_TRUE(program) << body;
  }
  // The values of the variant on some numbers, by its own code.
  std::vector<f64> values(const Decisions& decisions, const std::vector<f64>& xs) const {
    Binder binder(*program);
    Code code;
    EXPECT_TRUE(binder.bind(decisions, code));
    std::vector<u64> cells(xs.size()), fuel(xs.size());
    std::vector<Trap> traps(xs.size());
    std::vector<u32> places(xs.size()), depths(xs.size());
    const ArgumentColumn column{Scalar::F64, xs.data()};
    vm::run_reference({code.view(), 0, {{&column, 1}, static_cast<u32>(xs.size())}},
                      {cells, traps, places, depths, fuel});
    std::vector<f64> out;
    for (const u64 cell : cells) out.push_back(std::bit_cast<f64>(cell));
    return out;
  }
  std::optional<SketchProgram> program;
};

// The value and the slopes of a variant whose first decisions are its numbers, on some arguments.
struct Slopes {
  bool is_known = false;
  std::vector<std::vector<f64>> columns;
};
Slopes slopes_of(const FitSketch& sketch, const Decisions& decisions, u32 numbers,
                 const std::vector<f64>& xs) {
  Binder binder(*sketch.program);
  Code code;
  EXPECT_TRUE(binder.bind(decisions, code));
  std::vector<u32> number_of;
  for (const u64 cell : code.constants) {
    u32 which = SlopeCode::kNone;
    for (u32 k = 0; k < numbers; ++k)
      if (cell == real_cell(decisions[k], Scalar::F64)) which = k;
    number_of.push_back(which);
  }
  SlopeWriter writer;
  SlopeCode slopes;
  Slopes out;
  out.is_known = writer.write(code.view(), 0, number_of, numbers, slopes);
  if (!out.is_known) return out;
  const auto count = static_cast<u32>(xs.size());
  const auto run = [&](const Code& of, std::span<const ArgumentColumn> columns, u32 results) {
    std::vector<u64> cells(size_t{results} * count), fuel(count);
    std::vector<Trap> traps(count);
    std::vector<u32> places(count), depths(count);
    vm::run_reference({of.view(), 0, {columns, count}}, {cells, traps, places, depths, fuel});
    std::vector<std::vector<f64>> all(results);
    for (size_t k = 0; k < cells.size(); ++k)
      all[k / count].push_back(std::bit_cast<f64>(cells[k]));
    return all;
  };
  const ArgumentColumn argument{Scalar::F64, xs.data()};
  const auto parts = run(slopes.parts, {&argument, 1}, slopes.part_count);
  std::vector<ArgumentColumn> columns;
  for (const SlopeCode::Source& source : slopes.sources)
    columns.push_back(source.is_argument ? argument
                                         : ArgumentColumn{Scalar::F64, parts[source.at].data()});
  for (u32 k = 0; k < numbers; ++k)
    slopes.slopes.constants[k] = real_cell(decisions[k], Scalar::F64);
  out.columns = run(slopes.slopes, columns, numbers + 1);
  return out;
}

// Of every operation that has a derivative: the value to the bit, and slopes as differences of values tell them.
TEST(SlopeCode, SlopesAreThoseOfDifferences) {
  const std::vector<f64> xs = {0.25, 0.5, 0.75, 1.25, 1.5, 2.0, 2.75, 3.5};
  for (const std::string body : {"?a(real) + ?b(real) * x",
                                 "?a(real) - ?b(real) / x",
                                 "div0(?a(real), ?b(real) + x)",
                                 "(?a(real) + x) ** (?b(real) * x)",
                                 "min(?a(real) * x, ?b(real))",
                                 "max(?a(real) * x, ?b(real) * x * x)",
                                 "fma(?a(real), x, ?b(real) * ?a(real))",
                                 "-(?a(real) * x) * -?b(real)",
                                 "abs(?a(real) - x * ?b(real))",
                                 "sqrt(?a(real) * x + ?b(real))",
                                 "sqrt0(?a(real) * x - ?b(real))",
                                 "aq(?a(real) * x, ?b(real) * x)",
                                 "exp(?a(real) * x) * ?b(real)",
                                 "exp2(?a(real) * x) + ?b(real)",
                                 "log(?a(real) * x + ?b(real))",
                                 "log0(?a(real) * x) * ?b(real)",
                                 "log2(?a(real) + x) * ?b(real)",
                                 "log10(?a(real) + x) * ?b(real)",
                                 "sin(?a(real) * x + ?b(real))",
                                 "cos(?a(real) * x + ?b(real))",
                                 "tan(?a(real) * x / 8.0) * ?b(real)",
                                 "asin(?a(real) * x / 8.0) * ?b(real)",
                                 "acos(?a(real) * x / 8.0) * ?b(real)",
                                 "atan(?a(real) * x) * ?b(real)",
                                 "sinh(?a(real) * x) * ?b(real)",
                                 "cosh(?a(real) * x) * ?b(real)",
                                 "tanh(?a(real) * x) * ?b(real)",
                                 "cbrt(?a(real) * x) * ?b(real)",
                                 "erf(?a(real) * x) * ?b(real)",
                                 "{ let t = ?a(real) * sin(x * x); t * t + ?b(real) * t }"}) {
    const FitSketch sketch(body);
    const Decisions at = {point_of(1.3125), point_of(0.4375)};
    const Slopes slopes = slopes_of(sketch, at, 2, xs);
    ASSERT_TRUE(slopes.is_known) << body;
    EXPECT_EQ(slopes.columns[0], sketch.values(at, xs)) << body;
    for (u32 k = 0; k < 2; ++k) {
      constexpr f64 kBy = 0x1p-12;
      Decisions up = at, down = at;
      up[k] = point_of(number_at(at[k]) + kBy);
      down[k] = point_of(number_at(at[k]) - kBy);
      const f64 by = number_at(up[k]) - number_at(down[k]);
      const std::vector<f64> above = sketch.values(up, xs), below = sketch.values(down, xs);
      for (size_t one = 0; one < xs.size(); ++one) {
        const f64 slope = (above[one] - below[one]) / by;
        EXPECT_NEAR(slopes.columns[k + 1][one], slope, 1e-5 * (1 + std::abs(slope)))
            << body << " by number " << k << " at " << xs[one];
      }
    }
  }
}

// What no number has a part in runs once.
TEST(SlopeCode, PartsHaveNoNumbers) {
  const FitSketch sketch("?a(real) * sin(x * x + 1.0) + exp(?b(real) * cos(x))");
  Binder binder(*sketch.program);
  Code code;
  ASSERT_TRUE(binder.bind({point_of(2.5), point_of(3.5)}, code));
  std::vector<u32> number_of;
  for (const u64 cell : code.constants)
    number_of.push_back(cell == std::bit_cast<u64>(2.5)   ? 0
                        : cell == std::bit_cast<u64>(3.5) ? 1
                                                          : SlopeCode::kNone);
  SlopeWriter writer;
  SlopeCode slopes;
  ASSERT_TRUE(writer.write(code.view(), 0, number_of, 2, slopes));
  EXPECT_EQ(slopes.part_count, 2u);
  for (const Instruction& i : slopes.slopes.instructions)
    EXPECT_TRUE(i.op != Op::Sin && i.op != Op::Cos);
}

TEST(SlopeCode, LoopsAndBranchesHaveNone) {
  for (const std::string body :
       {"if x > ?a(real) { ?b(real) } else { x }", "(0..3).map(k => ?a(real) * ?b(real)).sum()",
        "floor(x * ?a(real) + ?b(real))"}) {
    const FitSketch sketch(body);
    EXPECT_FALSE(slopes_of(sketch, {point_of(1.3125), point_of(0.4375)}, 2, {1.0}).is_known)
        << body;
  }
}

struct FittedVariant {
  bool is_better = false;
  Decisions decisions;
};
FittedVariant fitted(const std::string& body, const std::string& csv, bool fits_line, u32 looks,
                     Decisions from) {
  const FitSketch sketch(body);
  const Suite suite = suite_of(csv);
  EXPECT_TRUE(FitCases::takes(suite));
  const FitCases cases(suite, 256);
  NumberFit fit(*sketch.program, 0, fits_line);
  FittedVariant out{false, std::move(from)};
  out.is_better = fit.fit(cases, looks, out.decisions);
  return out;
}

// A step is exact in numbers that the value is linear in: one look at where they begin, and one behind the step.
TEST(NumberFit, LinearNumbersTakeOneStep) {
  const std::string csv =
      csv_of([](f64 x) { return 0.3 - 2.7 * x + 41.5 * x * x * x; }, -20, 20, 0.1);
  const FittedVariant found = fitted("?(real) + ?(real) * x + ?(real) * x * x * x", csv, false, 2,
                                     {kRealOne, kRealOne, kRealOne});
  EXPECT_TRUE(found.is_better);
  EXPECT_EQ(number_at(found.decisions[0]), 0.3);
  EXPECT_EQ(number_at(found.decisions[1]), -2.7);
  EXPECT_EQ(number_at(found.decisions[2]), 41.5);
}

TEST(NumberFit, FindsNumbersInFunctionsAndQuotients) {
  const FittedVariant wave =
      fitted("?(real) * sin(?(real) * x) + ?(real)",
             csv_of([](f64 x) { return 2.5 * std::sin(3.25 * x) - 7; }, -20, 20, 0.1), false, 20,
             {kRealOne, point_of(3), kRealOne});
  EXPECT_EQ(number_at(wave.decisions[0]), 2.5);
  EXPECT_EQ(number_at(wave.decisions[1]), 3.25);
  EXPECT_EQ(number_at(wave.decisions[2]), -7.0);
  const FittedVariant quotient =
      fitted("(?(real) + ?(real) * x) / (1.0 + ?(real) * x * x)",
             csv_of([](f64 x) { return (3 - 0.5 * x) / (1 + 0.75 * x * x); }, -30, 30, 0.1), false,
             20, {kRealOne, kRealOne, point_of(0.1)});
  EXPECT_EQ(number_at(quotient.decisions[0]), 3.0);
  EXPECT_EQ(number_at(quotient.decisions[1]), -0.5);
  EXPECT_EQ(number_at(quotient.decisions[2]), 0.75);
}

// Where the score fits a line, that follows each step: factor and summand are not looked for.
TEST(NumberFit, TheLineFollows) {
  const std::string csv =
      csv_of([](f64 x) { return 1000 - 250 * std::exp(-1.75 * x); }, 0, 40, 0.1);
  const FittedVariant found = fitted("exp(?(real) * x)", csv, true, 20, {point_of(-1)});
  EXPECT_EQ(number_at(found.decisions[0]), -1.75);
}

// Nothing is changed where nothing gets better.
TEST(NumberFit, WhatIsRightStays) {
  const std::string csv = csv_of([](f64 x) { return 0.5 * x; }, 1, 20, 1);
  const Decisions right = {point_of(0.5)};
  const FittedVariant found = fitted("?(real) * x", csv, false, 5, right);
  EXPECT_FALSE(found.is_better);
  EXPECT_EQ(found.decisions, right);
}

// A number that could only help by becoming huge stays, and so no others follow it.
TEST(NumberFit, NumbersDoNotRunAway) {
  const std::string csv = csv_of([](f64 x) { return x; }, -20, 20, 0.1);
  const FittedVariant found = fitted("?(real) * x * 1e-30", csv, false, 20, {kRealOne});
  EXPECT_FALSE(found.is_better);
  EXPECT_EQ(number_at(found.decisions[0]), 1.0);
}

// Data in any units: squares of these do not fit an f64.
TEST(NumberFit, LargeAndSmallData) {
  for (const f64 unit : {1e200, 1e-200}) {
    const std::string csv =
        csv_of([&](f64 x) { return unit * (1 + 2 * std::exp(-0.5 * x)); }, 0, 40, 0.1);
    const FittedVariant found = fitted("exp(?(real) * x)", csv, true, 20, {point_of(-1)});
    EXPECT_EQ(number_at(found.decisions[0]), -0.5) << unit;
  }
}

struct Searched {
  Results results;
  std::string text;
};
Searched searched(const std::string& source, const std::string& csv, SearchOptions options,
                  u32 threads) {
  const auto program = read_sketch(source, {});
  EXPECT_TRUE(program);
  EvaluateOptions evaluation;
  evaluation.programs.sketch = &*program;
  evaluation.ranking.score = ScoreKind::Correlation;
  evaluation.machines.threads = threads;
  evaluation.machines.epoch = options.population;
  settle(program->plan, options, evaluation);
  SearchCandidates candidates(program->source, program->plan, options);
  Searched out;
  EXPECT_FALSE(evaluate(candidates, table_of(csv), evaluation, out.results, &candidates));
  out.text = out.results.best_source;
  return out;
}

constexpr const char* kQuotients =
    "pub fn f(x: f64) -> f64 { div0(?p(x), 1.0 + ?p(x)) }\n"
    "space m(x: f64) -> f64 depth 2 { x, m * m }\n"
    "space p(x: f64) -> f64 depth 3 { ?(real) * ?m(x), p + p }\n";

// A quotient of polynomials with odd numbers, which chance and steps of one number at a time do not find; the same with any threads.
TEST(RealSearch, FindsQuotientsOfPolynomials) {
  const std::string csv =
      csv_of([](f64 x) { return (1.7 * x * x * x - 0.45 * x) / (1 + 3.3 * x * x); }, -50, 50, 0.05);
  const SearchOptions options{.seed = 1, .population = 100, .generations = 40};
  const Searched found = searched(kQuotients, csv, options, 1);
  EXPECT_GT(found.results.rows[found.results.ranking.front()].score, 1 - 1e-9) << found.text;
  EXPECT_EQ(report_of(found.results), report_of(searched(kQuotients, csv, options, 3).results));
}

// Code with branches has no derivatives: its numbers are fitted generation by generation.
TEST(RealSearch, FitsNumbersBesideBranches) {
  const std::string csv =
      csv_of([](f64 x) { return x > 0 ? 2.5 * x : 7 * x - 1.25; }, -40, 40, 0.1);
  const SearchOptions options{.seed = 1, .population = 100, .generations = 60};
  const Searched found = searched(
      "pub fn f(x: f64) -> f64 {\n"
      "    let s = ?[x, x * x];\n"
      "    if x > 0.0 { ?(real) * s } else { ?(real) * s + ?(real) }\n}\n",
      csv, options, 1);
  EXPECT_GT(found.results.rows[found.results.ranking.front()].score, 1 - 1e-9) << found.text;
}

}  // namespace
}  // namespace komuz::engine::test
