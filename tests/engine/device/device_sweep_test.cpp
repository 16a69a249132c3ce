// SPDX-License-Identifier: Apache-2.0
// Variants that a device makes, runs, scores and ranks by itself: the best and the counts of a run equal those on the
// CPU.
#include <gtest/gtest.h>

#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/device/told_device.h"
#include "tests/engine/log/logged_runs.h"
#include "tests/engine/search/shown_best.h"
#include "tests/engine/sketch/bindable_sketches.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

CasesTable few_cases() {
  return test::table_of(
      "n,x,expected\n0,1.5,1.5\n1,2.0,4.0\n2,0.25,1.0\n3,-1.0,0.5\n7,3.5,2.0\n-2,0.0,0.0\n");
}

class DeviceSweeps : public testing::Test {
 protected:
  DeviceSweeps() {
    devices_.push_back(vm::emulated_warp_device());
    if (auto opened = vm::open_cuda_device(); !opened.problem())
      devices_.push_back(std::move(opened.value().device));
    options_.machines.threads = 2;
    options_.ranking.best_rows = 12;
    options_.details.keep_details = false;
    options_.machines.epoch = 200;
    options_.machines.device_epoch = 500;
  }

  test::ShownBest run(const SketchProgram& sketch, EvaluateOptions options,
                      const VariantChoice& choice) {
    options.programs.sketch = &sketch;
    SketchCandidates candidates(sketch.source, sketch.plan, choice);
    test::LinesOfPrograms sink(needs_all_);
    Results results;
    const Problem error = evaluate(candidates, cases_, options, results, &sink);
    EXPECT_FALSE(error) << error.text();
    EXPECT_TRUE(results.complete);
    return test::shown_best(results, sink);
  }
  // Compares the CPU with each device; `sweeps`: everything made there stays there.
  void compare(const SketchProgram& sketch, const EvaluateOptions& options,
               const VariantChoice& choice = {}, bool sweeps = true) {
    const test::ShownBest wanted = run(sketch, options, choice);
    ASSERT_FALSE(wanted.best.empty());
    for (const auto& device : devices_) {
      SCOPED_TRACE(device->gpu() < 0 ? "emulated" : "on a GPU");
      test::ToldDevice told(*device);
      EvaluateOptions own = options;
      own.machines.device = &told;
      EXPECT_EQ(run(sketch, own, choice), wanted);
      EXPECT_EQ(told.resident_runs() > 0, sweeps);
      if (sweeps) {
        EXPECT_EQ(told.other_runs(), 0u) << "variants came to the host";
      }
    }
  }

  CasesTable cases_ = few_cases();
  EvaluateOptions options_;
  std::vector<std::unique_ptr<vm::WarpDevice>> devices_;
  bool needs_all_ = false;
};

SketchProgram sketch_of(const std::string& source) {
  std::optional<SketchProgram> sketch = read_sketch(source, {});
  EXPECT_TRUE(sketch) << source;
  return std::move(*sketch);
}

TEST_F(DeviceSweeps, AllSketchesByAllScores) {
  for (const char* const source : test::kBindable) {
    SCOPED_TRACE(source);
    const SketchProgram sketch = sketch_of(source);
    for (const ScoreKind score :
         {ScoreKind::Exact, ScoreKind::AbsoluteError, ScoreKind::SymmetricError,
          ScoreKind::RSquared, ScoreKind::Correlation}) {
      SCOPED_TRACE(score_name(score));
      options_.ranking.score = score;
      compare(sketch, options_);
    }
    if (HasFailure()) return;
  }
}

// Traps, variants that are the same, expressions from a space; 2,656 variants.
constexpr const char* kSketch =
    "pub fn f(n: i64, x: f64) -> f64 {\n"
    "    ?a[x * ?(0.0..2.0, steps: 48), f64(n / ?(-1..3)), ?e(x), sqrt(x)] + ?b[0.0, x, ?e(1.5)]\n"
    "}\n"
    "space e(x: f64) -> f64 depth 1 { x, ?(0.5..2.5, steps: 4), e * e }\n";

TEST_F(DeviceSweeps, SamplesFirstFailuresAndAnyNumberOfTheBest) {
  const SketchProgram sketch = sketch_of(kSketch);
  for (const u64 most : {1, 10, 40, 5000}) {
    SCOPED_TRACE(most);
    options_.ranking.best_rows = most;
    options_.ranking.ends_at_failure = most == 10;
    // So many are not compared with each other on a device.
    compare(sketch, options_, {}, most != 5000);
    if (most != 5000) compare(sketch, options_, {.samples = 1500, .seed = most});
  }
}

TEST_F(DeviceSweeps, TheBestOfEachBehaviour) {
  const SketchProgram sketch = sketch_of(kSketch);
  options_.ranking.best_of_each_behaviour = true;
  for (const u64 most : {1, 12, 300}) {
    SCOPED_TRACE(most);
    options_.ranking.best_rows = most;
    options_.ranking.score = most == 1 ? ScoreKind::Exact : ScoreKind::AbsoluteError;
    compare(sketch, options_);
  }
}

// The entry that takes slices is called by a function of its own; values are scores of themselves.
TEST_F(DeviceSweeps, SlicesAndValues) {
  const SketchProgram sketch = sketch_of(
      "pub fn f(xs: [f64], k: i64) -> f64 {\n"
      "    xs.map(x => ?m[x, x * x, x / f64(k - 3)]).sum() + xs[?i[0, k]] * ?(0.0..1.0, steps: 5)\n"
      "}\n");
  cases_ = test::table_of("xs,k,expected\n\"[1, 2]\",1,3\n\"[3]\",0,9\n\"[1, 2, 4]\",3,8\n");
  options_.ranking.score = ScoreKind::SquaredError;
  compare(sketch, options_);
  cases_ = test::table_of("xs,k\n\"[1, 2]\",1\n\"[3]\",0\n", false);
  options_.ranking.score = ScoreKind::Maximize;
  compare(sketch, options_);
}

// Expressions from a space may be far larger than most: threads get more room, and all begins anew.
TEST_F(DeviceSweeps, LargeVariantsGetMoreRoom) {
  const SketchProgram sketch = sketch_of(
      "pub fn f(n: i64, x: f64) -> f64 { ?e(x) }\n"
      "space e(x: f64) -> f64 depth 6 { e + e, x }\n");
  options_.ranking.score = ScoreKind::AbsoluteError;
  compare(sketch, options_, {.samples = 300, .seed = 1});
}

// Where somebody looks at every row, or outcomes are scored by the host, variants come there.
TEST_F(DeviceSweeps, OtherRunsGoTheOtherWay) {
  const SketchProgram sketch = sketch_of(kSketch);
  const VariantChoice few{.samples = 100};
  needs_all_ = true;
  compare(sketch, options_, few, false);
  needs_all_ = false;
  options_.ranking.cut_off = 12;
  compare(sketch, options_, few, false);
  options_.ranking.cut_off = 0;
  options_.programs.expands_variants = true;
  compare(sketch, options_, few, false);
  options_.programs.expands_variants = false;
  options_.details.case_scores = CaseScores::ForSink;
  compare(sketch, options_, few, false);
}

// What a stop leaves is the ranking of the first variants.
TEST_F(DeviceSweeps, AStopLeavesTheBestOfTheFirst) {
  const SketchProgram sketch = sketch_of(kSketch);
  options_.programs.sketch = &sketch;
  options_.ranking.score = ScoreKind::AbsoluteError;
  for (const auto& device : devices_) {
    std::stop_source stop;
    test::ToldDevice told(*device, [&] { stop.request_stop(); });
    EvaluateOptions own = options_;
    own.machines.device = &told;
    SketchCandidates candidates(sketch.source, sketch.plan, {});
    Results results;
    ASSERT_FALSE(evaluate(candidates, cases_, own, results, nullptr, nullptr, stop.get_token()));
    EXPECT_FALSE(results.complete);
    ASSERT_EQ(results.candidates(), 1024u);
    ASSERT_EQ(results.rows.size(), 12u);
    for (const ResultRow& row : results.rows) EXPECT_TRUE(was_run(row));
    // The same variants in order, and no others, on the CPU.
    std::vector<Candidate> first;
    std::vector<std::string> ids;
    for (u64 number = 0; number < 1024; ++number) ids.push_back(variant_name(number));
    for (u64 number = 0; number < 1024; ++number)
      first.push_back({ids[number], sketch.source, {}, {}, number});
    CandidateList list(first);
    Results wanted;
    ASSERT_FALSE(evaluate(list, cases_, options_, wanted));
    EXPECT_EQ(results.ranking, wanted.ranking);
    EXPECT_EQ(count_copies(results), count_copies(wanted));
    EXPECT_EQ(count_outcomes(results), count_outcomes(wanted));
    for (u32 row = 0; row < wanted.rows.size(); ++row) EXPECT_EQ(results.id(row), wanted.id(row));
  }
}

// A device that gives other values than the processor is found out by the best.
class WrongDevice final : public vm::WarpDevice {
 public:
  Problem load_cases(const CasesView& cases) override { return device_->load_cases(cases); }
  Problem run(const vm::WarpBatch& batch, const vm::WarpRun& run) override {
    return device_->run(batch, run);
  }
  Problem run(const vm::ResidentPrograms& programs, const vm::WarpRun& run) override {
    Problem problem = device_->run(programs, run);
    const vm::ResidentOutcomes there = device_->resident();
    for (u32 k = 0; k < programs.count; ++k) const_cast<u64*>(there.fuel)[k * there.stride] += 1;
    return problem;
  }
  OutcomesView outcomes(const vm::WarpBatch& batch, u32 program) override {
    return device_->outcomes(batch, program);
  }
  vm::ResidentOutcomes resident() override { return device_->resident(); }

 private:
  std::unique_ptr<vm::WarpDevice> device_ = vm::emulated_warp_device();
};
TEST_F(DeviceSweeps, ADeviceThatIsWrongIsAnError) {
  const SketchProgram sketch = sketch_of(kSketch);
  WrongDevice device;
  options_.programs.sketch = &sketch;
  options_.machines.device = &device;
  SketchCandidates candidates(sketch.source, sketch.plan, {.samples = 50});
  Results results;
  const Problem error = evaluate(candidates, cases_, options_, results);
  ASSERT_TRUE(error);
  EXPECT_TRUE(error.is(ProblemKind::Device));
  EXPECT_NE(error.text().find("disagree on variant #"), std::string::npos) << error.text();
  EXPECT_FALSE(results.complete);
}

}  // namespace
}  // namespace komuz::engine
