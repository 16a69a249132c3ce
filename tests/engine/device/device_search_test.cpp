// SPDX-License-Identifier: Apache-2.0
// Searches whose generations a device breeds, runs and selects by itself show the same results as on the CPU.
#include <gtest/gtest.h>

#include <utility>

#include "engine/run/candidate_runner.h"
#include "engine/run/device_runner.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/device/told_device.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/search/shown_best.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

// Choices, grids and a space; traps, and variants that are the same.
constexpr const char* kSketch =
    "pub fn f(n: i64, x: f64) -> f64 {\n"
    "    ?e(x) * ?(0.0..4.0, steps: 33) + ?a[0.0, f64(n / ?(-1..3)), ?e(1.5)]\n"
    "}\n"
    "space e(x: f64) -> f64 depth 4 { x, ?(0.5..2.5, steps: 4), e + e, e * e, ?[sqrt(e), -e] }\n";
// Nothing of it is tuned.
constexpr const char* kTree =
    "pub fn f(n: i64, x: f64) -> f64 { ?e(x, f64(n)) }\n"
    "space e(x: f64, y: f64) -> f64 depth 5 { x, y, 1.0, e + e, e * e, e - e, ?[sqrt(e), e / e] "
    "}\n";

CasesTable few_cases() {
  return test::table_of(
      "n,x,expected\n0,1.5,1.5\n1,2.0,4.0\n2,0.25,1.0\n3,-1.0,0.5\n7,3.5,2.0\n-2,0.0,0.0\n");
}

SketchProgram sketch_of(const std::string& source) {
  std::optional<SketchProgram> sketch = read_sketch(source, {});
  EXPECT_TRUE(sketch) << source;
  return std::move(*sketch);
}

struct Searched {
  test::ShownBest shown;
  u64 generations = 0;
  bool is_exhausted = false;
  bool operator==(const Searched&) const = default;
};

class DeviceSearches : public testing::Test {
 protected:
  DeviceSearches() {
    devices_.push_back(vm::emulated_warp_device());
    if (auto opened = vm::open_cuda_device(); !opened.problem())
      devices_.push_back(std::move(opened.value().device));
    options_.machines.threads = 2;
    options_.ranking.best_rows = 8;
    options_.details.keep_details = false;
    options_.ranking.score = ScoreKind::SquaredError;
  }

  Searched run(const SketchProgram& sketch, EvaluateOptions options, SearchOptions search) {
    options.programs.sketch = &sketch;
    options.machines.epoch = search.population;
    settle(sketch.plan, search, options);
    test::LinesOfPrograms sink(needs_all_);
    SearchCandidates candidates(sketch.source, sketch.plan, search, &sink);
    Results results;
    const Problem error = evaluate(candidates, cases_, options, results, &candidates);
    EXPECT_FALSE(error) << error.text();
    EXPECT_TRUE(results.complete);
    return {test::shown_best(results, sink), candidates.generations(), candidates.is_exhausted()};
  }
  // Compares the CPU with each device; `stays`: nothing comes to the host.
  void compare(const SketchProgram& sketch, const SearchOptions& search, bool stays = true) {
    const Searched wanted = run(sketch, options_, search);
    ASSERT_FALSE(wanted.shown.best.empty());
    for (const auto& device : devices_) {
      SCOPED_TRACE(device->gpu() < 0 ? "emulated" : "on a GPU");
      test::ToldDevice told(*device);
      EvaluateOptions own = options_;
      own.machines.device = &told;
      const Searched there = run(sketch, own, search);
      EXPECT_EQ(there.shown.counts, wanted.shown.counts);
      EXPECT_EQ(there, wanted);
      EXPECT_EQ(told.resident_runs() > 0, stays);
      if (stays) {
        EXPECT_EQ(told.other_runs(), 0u) << "variants came to the host";
      }
    }
  }

  CasesTable cases_ = few_cases();
  EvaluateOptions options_;
  std::vector<std::unique_ptr<vm::WarpDevice>> devices_;
  bool needs_all_ = false;
};

TEST_F(DeviceSearches, EveryMethodByEveryScore) {
  for (const char* const source : {kSketch, kTree}) {
    SCOPED_TRACE(source);
    const SketchProgram sketch = sketch_of(source);
    for (const SearchKind kind :
         {SearchKind::Evolve, SearchKind::Local, SearchKind::Random, SearchKind::Lexicase})
      for (const ScoreKind score : {ScoreKind::Exact, ScoreKind::SquaredError,
                                    ScoreKind::AbsoluteError, ScoreKind::Correlation}) {
        SCOPED_TRACE(std::string(kSearchNames[static_cast<u32>(kind)]) + ", " +
                     std::string(score_name(score)));
        options_.ranking.score = score;
        compare(sketch, {.kind = kind, .seed = 3, .population = 36, .generations = 9});
        if (HasFailure()) return;
      }
  }
}

TEST_F(DeviceSearches, TheBestOfEachBehaviour) {
  options_.ranking.best_of_each_behaviour = true;
  compare(sketch_of(kTree), {.seed = 5, .population = 40, .generations = 12});
}

// Variants get too old for four layers, and the first layer starts anew eight times.
TEST_F(DeviceSearches, VariantsGrowOldInLayers) {
  for (const char* const source : {kSketch, kTree}) {
    const SketchProgram sketch = sketch_of(source);
    for (const u64 seed : {1, 2})
      compare(sketch, {.seed = seed, .population = 30, .generations = 90});
  }
}

// Populations that are full, and such as get no better for so long that all but the best start anew.
TEST_F(DeviceSearches, LexicaseSelectsForLong) {
  for (const char* const source : {kSketch, kTree}) {
    SCOPED_TRACE(source);
    const SketchProgram sketch = sketch_of(source);
    for (const ScoreKind score : {ScoreKind::Exact, ScoreKind::SquaredError}) {
      options_.ranking.score = score;
      for (const u32 population : {1u, 2u, 70u})
        compare(sketch, {.kind = SearchKind::Lexicase,
                         .seed = population,
                         .population = population,
                         .generations = 90});
    }
  }
}

// Constants are tuned by the host, who is told of the best of a generation.
TEST_F(DeviceSearches, ConstantsAreTuned) {
  const SketchProgram sketch = sketch_of(
      "pub fn f(n: i64, x: f64) -> f64 {\n"
      "    ?a(-8.0..8.0, steps: 513) * ?[x, x * x] + ?b(-8.0..8.0, steps: 513) * f64(n) + "
      "?c(0.0..1.0, "
      "steps: 257)\n}\n");
  for (const SearchKind kind : {SearchKind::Evolve, SearchKind::Lexicase}) {
    // Of distances also by what is lost on cases.
    for (const ScoreKind score : {ScoreKind::SquaredError, ScoreKind::AbsoluteError,
                                  ScoreKind::RelativeError, ScoreKind::SymmetricError}) {
      options_.ranking.score = score;
      compare(sketch, {.kind = kind, .seed = 4, .population = 160, .generations = 25});
    }
    compare(
        sketch,
        {.kind = kind, .seed = 4, .population = 40, .generations = 25, .tunes_constants = false});
  }
}

// More individuals than a block of threads, or of what is sorted, has.
TEST_F(DeviceSearches, PopulationsMayBeLarge) {
  const SketchProgram sketch = sketch_of(kTree);
  compare(sketch, {.seed = 5, .population = 17'000, .generations = 2});
  compare(sketch, {.kind = SearchKind::Lexicase, .seed = 5, .population = 600, .generations = 4});
}

// A search of few variants ends when all have been proposed, by whomever.
TEST_F(DeviceSearches, AllVariantsAreProposed) {
  const SketchProgram sketch = sketch_of(
      "pub fn f(n: i64, x: f64) -> f64 { x * ?(0.0..4.0, steps: 9) + f64(n * ?(0..5)) * ?[x, 1.0] "
      "}\n");
  for (const SearchKind kind :
       {SearchKind::Evolve, SearchKind::Local, SearchKind::Random, SearchKind::Lexicase}) {
    const SearchOptions options{.kind = kind, .seed = 1, .population = 16, .generations = 200};
    compare(sketch, options);
    EXPECT_TRUE(run(sketch, options_, options).is_exhausted);
  }
}

// A search that has found what was wanted ends with that generation.
TEST_F(DeviceSearches, ATargetEndsThem) {
  const SketchProgram sketch = sketch_of(kSketch);
  for (const auto& [score, target] :
       {std::pair{ScoreKind::SquaredError, 8.0}, std::pair{ScoreKind::Correlation, 0.45}}) {
    options_.ranking.score = score;
    for (const SearchKind kind : {SearchKind::Evolve, SearchKind::Local}) {
      const SearchOptions options{
          .kind = kind, .seed = 3, .population = 30, .generations = 60, .target = target};
      compare(sketch, options);
      const Searched found = run(sketch, options_, options);
      EXPECT_GT(found.generations, 1u);
      EXPECT_LT(found.generations, 60u);
      const f64 best = found.shown.best.front().score;
      EXPECT_LE(loss_of(score, best), loss_of(score, target));
    }
  }
}

// Lists of decisions that outgrow their room begin anew with more; what no thread has room for goes the other way.
TEST_F(DeviceSearches, LargeVariantsGetMoreRoom) {
  const SketchProgram sketch = sketch_of(
      "pub fn f(n: i64, x: f64) -> f64 { ?e(x) }\n"
      "space e(x: f64) -> f64 depth 9 { e + e, e * e, x, ?[e, -e] }\n");
  compare(sketch, {.seed = 2, .population = 20, .generations = 12});
  // Of all variants alike nearly every one nests as deep as it may.
  const SketchProgram deep = sketch_of(
      "pub fn f(n: i64, x: f64) -> f64 { ?e(x) }\n"
      "space e(x: f64) -> f64 depth 7 { e + e, x }\n");
  compare(deep, {.kind = SearchKind::Random, .seed = 1, .population = 10, .generations = 2});
  const SketchProgram too_deep = sketch_of(
      "pub fn f(n: i64, x: f64) -> f64 { ?e(x) }\n"
      "space e(x: f64) -> f64 depth 13 { e + e, x }\n");
  compare(too_deep, {.kind = SearchKind::Random, .seed = 1, .population = 5, .generations = 2},
          false);
}

// A generation that has more cases than may run at once is run in parts.
TEST_F(DeviceSearches, GenerationsAreCutToWhatRunsAtOnce) {
  const SketchProgram sketch = sketch_of(kSketch);
  options_.programs.sketch = &sketch;
  const Candidate first{"#", sketch.source, {}, {}, 0};
  CandidateRunner runner(options_);
  CandidateResult unused;
  static_cast<void>(runner.identify(first));
  ASSERT_TRUE(runner.compile(first, {}, unused));
  Suite suite;
  ASSERT_FALSE(make_suite(cases_, runner.signature(), suite));
  ASSERT_TRUE(runner.accept(suite, unused));
  const auto compare_parts = [&](vm::WarpDevice& device, SearchKind kind) {
    std::vector<SweptVariants> swept;
    for (const u32 most_rows : {384u, 1u << 20}) {
      DeviceRunner on_device(device, options_, 1, most_rows);
      ASSERT_TRUE(on_device.use_variants(runner.code(), runner.entry(), suite));
      SearchCandidates candidates(sketch.source, sketch.plan,
                                  {.kind = kind, .seed = 9, .population = 40, .generations = 12});
      Result<std::optional<SweptVariants>> found =
          on_device.search(suite, candidates, 8, [](u64) {}, {});
      ASSERT_EQ(found.problem().text(), "");
      ASSERT_TRUE(found.value());
      swept.push_back(std::move(*found.value()));
    }
    EXPECT_EQ(swept[0].variants, 480u);
    EXPECT_EQ(swept[0].counts, swept[1].counts);
    EXPECT_EQ(swept[0].decisions, swept[1].decisions);
    ASSERT_EQ(swept[0].best.size(), 8u);
    for (size_t k = 0; k < 8; ++k) {
      EXPECT_EQ(swept[0].best[k].row, swept[1].best[k].row);
      EXPECT_EQ(swept[0].best[k].key, swept[1].best[k].key);
      EXPECT_EQ(swept[0].best[k].copies, swept[1].best[k].copies);
    }
  };
  for (const auto& device : devices_)
    for (const SearchKind kind : {SearchKind::Evolve, SearchKind::Lexicase})
      compare_parts(*device, kind);
}

// Searches that come to an end of what there is.
class LimitedSearches : public DeviceSearches {
 protected:
  static constexpr u32 kPopulation = 1000;

  LimitedSearches() {
    const Candidate first{"#", sketch_.source, {}, {}, 0};
    CandidateResult unused;
    static_cast<void>(runner_.identify(first));
    EXPECT_TRUE(runner_.compile(first, {}, unused));
    EXPECT_FALSE(make_suite(cases_, runner_.signature(), suite_));
    EXPECT_TRUE(runner_.accept(suite_, unused));
    std::vector<ArgumentColumn> columns;
    EXPECT_EQ(device_.load_cases(suite_.view(0, suite_.count, columns)).text(), "");
    EXPECT_EQ(
        scorer_->load_suite(suite_, options_.ranking.score, options_.ranking.tolerance).text(), "");
    EXPECT_EQ(maker_->load_sketch(sketch_, runner_.entry()).text(), "");
  }

  SweepJob job() const {
    return {.suite = suite_,
            .limits = {},
            .fuel = options_.limits.fuel,
            .best = 8,
            .most_rows = 1u << 20};
  }
  bool search(const SweepJob& job, u64 generations, SweptVariants& out) {
    SearchCandidates candidates(sketch_.source, sketch_.plan,
                                {.kind = SearchKind::Random,
                                 .seed = 9,
                                 .population = kPopulation,
                                 .generations = generations});
    DeviceSearch search({device_, *maker_, *scorer_}, job, candidates);
    Result<std::optional<SweptVariants>> found = search.run([](u64) {}, {});
    EXPECT_EQ(found.problem().text(), "");
    if (found.problem() || !found.value()) return false;
    out = std::move(*found.value());
    return true;
  }
  // It has what came of its first generations, as a search of so many has.
  void expect_first(const SweptVariants& swept, u64 generations) {
    EXPECT_TRUE(swept.is_cut_short);
    EXPECT_EQ(swept.variants, generations * kPopulation);
    SweptVariants wanted;
    ASSERT_TRUE(search(job(), generations, wanted));
    EXPECT_FALSE(wanted.is_cut_short);
    EXPECT_EQ(swept.variants, wanted.variants);
    EXPECT_EQ(swept.counts, wanted.counts);
    EXPECT_EQ(swept.decisions, wanted.decisions);
    EXPECT_EQ(swept.best.size(), 8u);
  }

  const EvaluateOptions& of_sketch() {
    options_.programs.sketch = &sketch_;
    return options_;
  }

  SketchProgram sketch_ = sketch_of(kTree);
  CandidateRunner runner_{of_sketch()};
  Suite suite_;
  vm::WarpDevice& device_ = *devices_.front();
  std::unique_ptr<OutcomeScorer> scorer_ = emulated_outcome_scorer();
  std::unique_ptr<VariantMaker> maker_ = host_variant_maker();
};

TEST_F(LimitedSearches, WithoutMemoryTheFirstGenerationsAreThere) {
  SweepJob small = job();
  SweptVariants swept;
  // With less than what it begins with it is the host's.
  for (small.memory = 1u << 20; !search(small, 30, swept); small.memory += small.memory / 64)
    EXPECT_FALSE(swept.is_cut_short);
  EXPECT_GT(swept.variants, 0u);
  EXPECT_LT(swept.variants, 30 * kPopulation);
  expect_first(swept, swept.variants / kPopulation);
}

TEST_F(LimitedSearches, WithoutNumbersTheFirstGenerationsAreThere) {
  SweepJob few = job();
  few.most_variants = 4 * kPopulation - 1;
  SweptVariants swept;
  ASSERT_TRUE(search(few, 30, swept));
  expect_first(swept, 3);
}

TEST_F(DeviceSearches, OtherRunsGoTheOtherWay) {
  const SketchProgram sketch = sketch_of(kSketch);
  needs_all_ = true;
  for (const SearchKind kind : {SearchKind::Evolve, SearchKind::Lexicase})
    compare(sketch, {.kind = kind, .population = 20, .generations = 3}, false);
}

// What a stop leaves are the generations before it.
TEST_F(DeviceSearches, AStopLeavesGenerations) {
  const SketchProgram sketch = sketch_of(kTree);
  options_.programs.sketch = &sketch;
  options_.details.sink_needs_rows = true;
  SearchOptions search{.seed = 6, .population = 25, .generations = 40};
  for (const auto& device : devices_) {
    std::stop_source stop;
    u32 runs = 0;
    test::ToldDevice told(*device, [&] {
      if (++runs == 4) stop.request_stop();
    });
    EvaluateOptions own = options_;
    own.machines.device = &told;
    test::LinesOfPrograms sink(false);
    SearchCandidates candidates(sketch.source, sketch.plan, search, &sink);
    Results results;
    ASSERT_FALSE(
        evaluate(candidates, cases_, own, results, &candidates, nullptr, stop.get_token()));
    EXPECT_FALSE(results.complete);
    const u64 done = results.candidates() / search.population;
    EXPECT_EQ(results.candidates() % search.population, 0u);
    ASSERT_GE(done, 1u);
    ASSERT_LE(done, 4u);
    SearchOptions shorter = search;
    shorter.generations = done;
    EXPECT_EQ(test::shown_best(results, sink).counts, run(sketch, options_, shorter).shown.counts);
  }
}

}  // namespace
}  // namespace komuz::engine
