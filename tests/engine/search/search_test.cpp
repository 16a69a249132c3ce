// SPDX-License-Identifier: Apache-2.0
// Search over the variants of a sketch: proposals are variants, the same for any number of threads, and better than
// chance.
#include <gtest/gtest.h>

#include <set>

#include "engine/results/report.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine::test {
namespace {

// 64⁴ grid points and three shapes; one variant is without error.
constexpr const char* kFormula =
    "pub fn f(x: f64) -> f64 {\n"
    "    let t = ?shape[x, x * x, sqrt(abs(x))];\n"
    "    ?a(0.0..64.0, steps: 64) + ?b(0.0..64.0, steps: 64) * t + ?c(0.0..64.0, steps: 64) * x + "
    "?d(0.0..64.0, steps: 64)\n}\n";
constexpr const char* kTree =
    "pub fn f(x: f64) -> f64 { ?e(x) }\n"
    "space e(x: f64) -> f64 depth 3 { x, ?(0.0..=4.0, steps: 5), e + e, e * e, ?[e, -e] }\n";

CasesTable parabola() {
  std::string text = "x,expected\n";
  for (int k = -8; k <= 8; ++k)
    text += std::to_string(k) + ".0," + std::to_string(7 + 3 * k * k + 2 * k) + ".0\n";
  CasesTable table;
  EXPECT_FALSE(read_csv_cases("cases.csv", text, {}, table));
  return table;
}
struct Found {
  Results results;
  u64 generations = 0;
  f64 best = 0;
};
Found search(const std::string& source, SearchOptions options, u32 threads = 2,
             ScoreKind score = ScoreKind::SquaredError, const CasesTable& cases = parabola(),
             CaseScores case_scores = CaseScores::None) {
  const auto program = read_sketch(source, {});
  EXPECT_TRUE(program);
  EvaluateOptions evaluation;
  evaluation.programs.sketch = &*program;
  evaluation.ranking.score = score;
  evaluation.details.case_scores = case_scores;
  evaluation.machines.threads = threads;
  evaluation.machines.epoch = options.population;
  settle(program->plan, options, evaluation);
  SearchCandidates candidates(program->source, program->plan, options);
  Found out;
  EXPECT_FALSE(evaluate(candidates, cases, evaluation, out.results, &candidates));
  out.generations = candidates.generations();
  const u32 first = out.results.ranking.front();
  EXPECT_TRUE(out.results.rows[first].scored);
  out.best = out.results.rows[first].score;
  return out;
}

TEST(Search, EveryMethodGivesTheSameForAnyNumberOfThreads) {
  for (const char* const source : {kFormula, kTree})
    for (const SearchKind kind :
         {SearchKind::Evolve, SearchKind::Local, SearchKind::Random, SearchKind::Lexicase}) {
      const SearchOptions options{.kind = kind, .seed = 5, .population = 40, .generations = 8};
      const Found one = search(source, options, 1), three = search(source, options, 3);
      EXPECT_EQ(one.generations, 8u);
      EXPECT_EQ(one.results.rows.size(), 320u);
      EXPECT_EQ(report_of(one.results), report_of(three.results));
      for (const ResultRow& row : one.results.rows) EXPECT_NE(row.status, Status::Refused);
    }
}

TEST(Search, AnotherSeedFindsOthers) {
  const SearchOptions options{.seed = 1, .population = 20, .generations = 2};
  SearchOptions other = options;
  other.seed = 2;
  EXPECT_NE(report_of(search(kFormula, options).results),
            report_of(search(kFormula, other).results));
}

TEST(Search, LearningBeatsChance) {
  for (const char* const source : {kFormula, kTree}) {
    const auto best = [&](SearchKind kind) {
      return search(source, {.kind = kind, .seed = 3, .population = 30, .generations = 200}).best;
    };
    const f64 chance = best(SearchKind::Random);
    EXPECT_LT(best(SearchKind::Evolve), chance) << source;
    EXPECT_LT(best(SearchKind::Local), chance) << source;
    EXPECT_LT(best(SearchKind::Lexicase), chance) << source;
  }
}

TEST(Search, EvolutionFindsTheFormula) {
  const Found found = search(kFormula, {.seed = 7, .population = 100, .generations = 150});
  EXPECT_EQ(found.best, 0.0);
}

// Four functions, each right on its own quarter of the cases. Tournaments lose who knows one to who
// passes as many of others.
constexpr const char* kQuarters =
    "pub fn f(n: i64) -> i64 {\n"
    "    let x = n / 4;\n"
    "    if n % 4 == 0 { ?e(x) } else if n % 4 == 1 { ?e(x) } else if n % 4 == 2 { ?e(x) } else { "
    "?e(x) }\n}\n"
    "space e(x: i64) -> i64 depth 3 { x, ?(0..8), e + e, e * e, e - e }\n";

TEST(Search, LexicaseKeepsWhoIsRightWhereOthersAreNot) {
  std::string text = "n,expected\n";
  for (i64 n = 0; n < 48; ++n) {
    const i64 x = n / 4;
    const i64 wanted[] = {x * x, x + x + 3, 7 * x, x * x - 5};
    text += std::to_string(n) + "," + std::to_string(wanted[n % 4]) + "\n";
  }
  CasesTable cases;
  ASSERT_FALSE(read_csv_cases("cases.csv", text, {}, cases));
  for (const u64 seed : {1u, 4u}) {
    const auto best = [&](SearchKind kind) {
      const SearchOptions options{.kind = kind, .seed = seed, .population = 200, .generations = 25};
      return search(kQuarters, options, 2, ScoreKind::Exact, cases).best;
    };
    EXPECT_EQ(best(SearchKind::Lexicase), 48) << seed;
    EXPECT_LT(best(SearchKind::Evolve), 48) << seed;
  }
}

// A duplicate brings nothing to learn from, also where what its cases brought is shown.
TEST(Search, CasesThatAreShownChangeNothing) {
  const SearchOptions options{
      .kind = SearchKind::Lexicase, .seed = 2, .population = 40, .generations = 30};
  const auto ids = [&](CaseScores shown) {
    const Found found = search(kTree, options, 2, ScoreKind::SquaredError, parabola(), shown);
    std::vector<std::string> out;
    for (u32 row = 0; row < found.results.rows.size(); ++row)
      out.emplace_back(found.results.id(row));
    return out;
  };
  EXPECT_EQ(ids(CaseScores::Kept), ids(CaseScores::None));
}

TEST(Search, WhoLearnsFromCasesTakesEveryCase) {
  const TestSketch sketch(kTree);
  for (const SearchKind kind : {SearchKind::Evolve, SearchKind::Lexicase}) {
    SearchOptions options{.kind = kind};
    EvaluateOptions evaluation;
    evaluation.ranking.ends_at_failure = true;
    settle(sketch.plan, options, evaluation);
    EXPECT_EQ(evaluation.ranking.ends_at_failure, kind == SearchKind::Evolve);
  }
}

// The smaller the better, whatever the score.
TEST(Search, CaseLossesAreTurnedRoundWhereMoreIsBetter) {
  const std::vector<Candidate> candidates = {{"root", "pub fn f(x: f64) -> f64 { sqrt(x) }", {}},
                                             {"half", "pub fn f(x: f64) -> f64 { x / 2.0 }", {}},
                                             {"broken", "pub fn f(x: f64) -> f64 { ", {}}};
  const auto losses = [&](ScoreKind score, u32 row) {
    EvaluateOptions options;
    options.ranking.score = score;
    options.details.case_scores = CaseScores::Kept;
    return case_losses_of(evaluate_all(candidates, options, "x,expected\n4,2\n-1,-1\n"), row);
  };
  const f64 infinity = std::numeric_limits<f64>::infinity();
  EXPECT_EQ(losses(ScoreKind::Exact, 0), (std::vector<f64>{-1, 0}));
  EXPECT_EQ(losses(ScoreKind::AbsoluteError, 0), (std::vector<f64>{0, infinity}));
  EXPECT_EQ(losses(ScoreKind::RSquared, 1), (std::vector<f64>{0, 0.25}));
  EXPECT_EQ(losses(ScoreKind::Maximize, 1), (std::vector<f64>{-2, 0.5}));
  EXPECT_EQ(losses(ScoreKind::Minimize, 1), (std::vector<f64>{2, -0.5}));
  EXPECT_TRUE(losses(ScoreKind::Exact, 2).empty());
}

// Each variant once is all there is to be found.
TEST(Search, EndsWhenThereAreNoOtherVariants) {
  for (const SearchKind kind : {SearchKind::Evolve, SearchKind::Local, SearchKind::Random}) {
    const TestSketch sketch("pub fn f(n: i64) -> i64 { n * ?(0..12) + ?[1, 2] }");
    SearchCandidates candidates(sketch.source, sketch.plan,
                                {.kind = kind, .population = 8, .generations = 10'000});
    CandidateBatch batch;
    Results results;
    u64 generations = 0;
    for (;; ++generations) {
      batch.clear();
      candidates.read(batch, 8);
      if (batch.rows.empty()) break;
      for (const Candidate& candidate : batch.rows) {
        results.add_id(candidate.id);
        results.rows.emplace_back();
        candidates.on_result(results, static_cast<u32>(results.rows.size() - 1));
      }
    }
    EXPECT_TRUE(candidates.is_exhausted());
    EXPECT_LT(generations, 1000u);
    std::set<std::string_view> ids;
    for (u32 row = 0; row < results.rows.size(); ++row) ids.insert(results.id(row));
    EXPECT_EQ(ids.size(), 24u);
  }
}

TEST(Search, AGenerationWithRoomForAllVariantsIsTheOnlyOne) {
  const Found found =
      search("pub fn f(x: f64) -> f64 { x * ?(0.0..12.0, steps: 12) + ?[1.0, 2.0] }",
             {.population = 24, .generations = 10'000});
  EXPECT_EQ(found.generations, 1u);
  ASSERT_EQ(found.results.rows.size(), 24u);
  for (u32 row = 0; row < 24; ++row) EXPECT_EQ(found.results.id(row), "#" + std::to_string(row));
}

// What mutation and crossover are made of.
TEST(Search, StretchesOfAVariantFitWhereTheyCameFrom) {
  const TestSketch sketch(kTree);
  Random random(1);
  Decisions one, other, part;
  std::vector<DecisionStretch> own, others;
  DecodedVariant instances;
  u32 crossed = 0;
  for (u32 k = 0; k < 500; ++k) {
    ASSERT_TRUE(sketch.plan.draw(
        DrawKind::Variants, [&] { return random.next(); }, one));
    ASSERT_TRUE(sketch.plan.draw(
        DrawKind::Variants, [&] { return random.next(); }, other));
    sketch.plan.list_stretches(one, own);
    sketch.plan.list_stretches(other, others);
    ASSERT_EQ(own.size(), one.size());
    const DecisionStretch at = own[random.below(own.size())],
                          from = others[random.below(others.size())];
    const DrawKind kind = k % 2 == 0 ? DrawKind::Variants : DrawKind::Ways;
    ASSERT_TRUE(sketch.plan.draw_stretch(
        kind, at, [&] { return random.next(); }, part));
    const auto with = [&](const Decisions& inside) {
      Decisions out(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(at.begin));
      out.insert(out.end(), inside.begin(), inside.end());
      out.insert(out.end(), one.begin() + static_cast<std::ptrdiff_t>(at.end), one.end());
      return out;
    };
    EXPECT_TRUE(sketch.plan.decode(with(part), instances));
    if (!sketch.plan.fits(other, from, at)) continue;
    ++crossed;
    part.assign(other.begin() + static_cast<std::ptrdiff_t>(from.begin),
                other.begin() + static_cast<std::ptrdiff_t>(from.end));
    EXPECT_TRUE(sketch.plan.decode(with(part), instances));
  }
  EXPECT_GT(crossed, 50u);
  sketch.plan.list_stretches({9, 9, 9}, own);
  EXPECT_TRUE(own.empty());
}

}  // namespace
}  // namespace komuz::engine::test
