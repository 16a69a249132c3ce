// SPDX-License-Identifier: Apache-2.0
// Tuning the points of grids: alone, on known losses, and as a part of a search.
#include "engine/search/constant_tuner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/results/report.h"
#include "engine/search/quadratic_model.h"
#include "engine/search/search.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine::test {
namespace {

// A choice, and three grids of points 0 to 9,999, of which one belongs to an alternative.
constexpr const char* kGrids =
    "fn f(x: f64) -> f64 { ?(0.0..1.0, steps: 10000) * ?[x, x * ?(0.0..1.0, steps: 10000)] + "
    "?(0.0..1.0, steps: 10000) }";

// Tunes with so many trials a generation until nothing improves. Returns the final point, and the number of
// generations. No trial may repeat a recent one.
template <class FoundOf>
Decisions tuned_as(bool has_distances, const VariantPlan& plan, Decisions from, size_t most,
                   FoundOf found_of, u32& generations) {
  ConstantTuner tuner(plan, from, found_of(from), has_distances);
  std::set<Decisions> before;
  for (generations = 0; !tuner.is_done(); ++generations) {
    std::vector<Decisions> trials;
    tuner.propose(most, trials);
    EXPECT_LE(trials.size(), most);
    std::vector<Found> found;
    for (const Decisions& trial : trials) {
      EXPECT_EQ(structure_hash(plan, trial), structure_hash(plan, from));
      EXPECT_FALSE(before.contains(trial));
      found.push_back(found_of(trial));
    }
    before = {trials.begin(), trials.end()};
    if (const auto moved_to = tuner.learn(found)) from = trials[*moved_to];
    EXPECT_EQ(tuner.fitness().loss, found_of(from).fitness.loss);
  }
  return from;
}
template <class Loss>
Decisions tuned(const VariantPlan& plan, const Decisions& from, size_t most, Loss loss,
                u32& generations) {
  const auto found_of = [&](const Decisions& d) {
    return Found{Fitness{false, loss(d), 1, 1}, 0, {}};
  };
  return tuned_as(false, plan, from, most, found_of, generations);
}

TEST(ConstantTuner, FindsTheMinimumOfAQuadraticFunctionInAFewGenerations) {
  const TestSketch sketch(kGrids);
  // A valley that lies across all axes.
  const auto loss = [](const Decisions& d) {
    const f64 a = d[0] - 6543.0, b = d[2] - 321.0, c = d[3] - 4000.0;
    return a * a + b * b + c * c + 1.9 * a * b - 1.2 * b * c - 1.1 * a * c;
  };
  u32 generations = 0;
  EXPECT_EQ(tuned(sketch.plan, {5000, 1, 5000, 5000}, 20, loss, generations),
            (Decisions{6543, 1, 321, 4000}));
  EXPECT_LT(generations, 40u);
}

TEST(ConstantTuner, FindsTheMinimumThoughFewTrialsFitIntoAGeneration) {
  const TestSketch sketch(kGrids);
  const auto loss = [](const Decisions& d) {
    return std::abs(d[0] - 17.0) + std::abs(d[2] - 9999.0) + std::sqrt(std::abs(d[3] - 777.0));
  };
  u32 generations = 0;
  EXPECT_EQ(tuned(sketch.plan, {5000, 1, 5000, 5000}, 2, loss, generations),
            (Decisions{17, 1, 9999, 777}));
}

// Distances of twenty cases, two of which are far off at all points: the sum has kinks, and squares would follow
// those two.
TEST(ConstantTuner, FindsTheMinimumOfASumOfDistancesInAFewGenerations) {
  const TestSketch sketch(kGrids);
  f64 unit = 1;
  const auto found_of = [&unit](const Decisions& d) {
    Found found;
    found.fitness = {false, 0, 1, 1};
    for (int k = 0; k < 20; ++k) {
      const f64 x = k - 10.0, y = (k * 7) % 20 - 10.0;
      const f64 off = (d[0] - 6543.0) * x + (d[2] - 321.0) * y + (d[3] - 4000.0);
      found.case_losses.push_back(std::abs(off - (k == 3 ? 1e6 : k == 12 ? -3e5 : 0.0)) * unit);
      found.fitness.loss += found.case_losses.back();
    }
    return found;
  };
  const Decisions from = {5000, 1, 5000, 5000}, best = {6543, 1, 321, 4000};
  u32 generations = 0, by_losses_alone = 0;
  EXPECT_EQ(tuned_as(true, sketch.plan, from, 20, found_of, generations), best);
  EXPECT_LT(generations, 40u);
  static_cast<void>(tuned_as(false, sketch.plan, from, 20, found_of, by_losses_alone));
  EXPECT_LT(generations, by_losses_alone);
  // In other units it goes the same way, though squares of such distances would not fit.
  for (const f64 other : {0x1p-900, 0x1p-540, 0x1p540, 0x1p900}) {
    unit = other;
    u32 as_before = 0;
    EXPECT_EQ(tuned_as(true, sketch.plan, from, 20, found_of, as_before), best);
    EXPECT_EQ(as_before, generations);
  }
}

TEST(ConstantTuner, VariantsOfOneStructureDifferInPointsAlone) {
  const TestSketch sketch(kGrids);
  EXPECT_EQ(structure_hash(sketch.plan, {1, 1, 2, 3}), structure_hash(sketch.plan, {4, 1, 5, 6}));
  EXPECT_NE(structure_hash(sketch.plan, {1, 1, 2, 3}), structure_hash(sketch.plan, {1, 0, 3}));
  EXPECT_TRUE(has_grids(sketch.plan));
  EXPECT_FALSE(has_grids(TestSketch("fn f() -> i64 { ?[1, 2] * ?(1..2) }").plan));
}

TEST(QuadraticModel, HasNoMinimumWhereItFalls) {
  const auto model_of = [](auto function) {
    QuadraticModel model{.axes = 2, .origin = function(0.0, 0.0), .down = {}, .up = {}, .both = {}};
    model.down = {function(-1.0, 0.0), function(0.0, -1.0)};
    model.up = {function(1.0, 0.0), function(0.0, 1.0)};
    model.both[0][1] = function(1.0, 1.0);
    return model;
  };
  const auto minimum = model_of([](f64 x, f64 y) {
                         return (x - 3) * (x - 3) + (y + 2) * (y + 2) + x * y;
                       }).minimum();
  ASSERT_TRUE(minimum);
  EXPECT_NEAR((*minimum)[0], 16.0 / 3, 1e-12);
  EXPECT_NEAR((*minimum)[1], -14.0 / 3, 1e-12);
  EXPECT_FALSE(model_of([](f64 x, f64 y) { return x * x + y * y + 3 * x * y; }).minimum());
  EXPECT_FALSE(model_of([](f64 x, f64 y) { return x * x - y * y; }).minimum());
}

// Four shapes, and three constants of 10,000 points each, of which two are linear.
constexpr const char* kFormula =
    "pub fn f(x: f64) -> f64 {\n"
    "    let t = ?shape[x, x * x, sqrt(abs(x)), sin(x)];\n"
    "    ?a(-10.0..10.0, steps: 10000) + ?b(-10.0..10.0, steps: 10000) * t +\n"
    "        sin(x * ?w(0.0..10.0, steps: 10000))\n}\n";

struct Search {
  Results results;
  f64 best = 0;
};
Search search(SearchOptions options, u32 threads, ScoreKind score = ScoreKind::SquaredError) {
  std::string text = "x,expected\n";
  for (int k = -32; k < 32; ++k) {
    const f64 x = k / 8.0;
    text +=
        std::to_string(x) + "," + std::to_string(1.25 - 2.5 * x * x + std::sin(3.126 * x)) + "\n";
  }
  const auto program = read_sketch(kFormula, {});
  EXPECT_TRUE(program);
  EvaluateOptions evaluation;
  evaluation.programs.sketch = &*program;
  evaluation.ranking.score = score;
  evaluation.machines.threads = threads;
  evaluation.machines.epoch = options.population;
  settle(program->plan, options, evaluation);
  SearchCandidates candidates(program->source, program->plan, options);
  Search out;
  EXPECT_FALSE(evaluate(candidates, table_of(text), evaluation, out.results, &candidates));
  out.best = out.results.rows[out.results.ranking.front()].score;
  return out;
}

TEST(ConstantTuner, FindsConstantsThatChanceDoesNot) {
  constexpr f64 kRounded = 1e-9;  // the squared errors of expected values with six digits
  for (const SearchKind kind : {SearchKind::Evolve, SearchKind::Lexicase})
    for (const u64 seed : {0u, 1u}) {
      SearchOptions options{.kind = kind, .seed = seed, .population = 200, .generations = 25};
      const Search tuned = search(options, 1);
      EXPECT_LT(tuned.best, kRounded) << seed;
      EXPECT_EQ(report_of(tuned.results), report_of(search(options, 2).results));
      options.tunes_constants = false;
      EXPECT_GT(search(options, 1).best, 1e-4) << seed;
    }
}

// Sums of distances of 64 cases with six digits.
TEST(ConstantTuner, FindsConstantsByDistancesToo) {
  for (const ScoreKind score :
       {ScoreKind::AbsoluteError, ScoreKind::RelativeError, ScoreKind::SymmetricError})
    for (const u64 seed : {0u, 1u}) {
      const SearchOptions options{.seed = seed, .population = 200, .generations = 25};
      const Search tuned = search(options, 1, score);
      EXPECT_LT(tuned.best, 1e-3) << seed;
      EXPECT_EQ(report_of(tuned.results), report_of(search(options, 2, score).results));
    }
}

// What has no grids is searched as if there were no tuning.
TEST(ConstantTuner, CostsNothingWithoutGrids) {
  const TestSketch sketch(
      "pub fn f(x: f64) -> f64 { ?e(x) }\nspace e(x: f64) -> f64 depth 3 { x, 1.0, e + e, e * e }");
  SearchOptions options{.population = 50};
  const auto with = make_search(options, sketch.plan);
  options.tunes_constants = false;
  const auto without = make_search(options, sketch.plan);
  std::vector<Decisions> a, b;
  for (u32 generation = 0; generation < 5; ++generation) {
    with->propose(50, a);
    without->propose(50, b);
    ASSERT_EQ(a, b);
    std::vector<Found> found(50);
    for (u32 k = 0; k < 50; ++k)
      found[k].fitness = {false, static_cast<f64>(a[k].size() % 7), k, 1};
    with->learn(a, found, {});
    without->learn(b, found, {});
  }
}

}  // namespace
}  // namespace komuz::engine::test
