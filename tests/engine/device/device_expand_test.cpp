// SPDX-License-Identifier: Apache-2.0
// Variants that cannot be bound. A device writes, compiles, links, runs, scores and ranks their texts by itself: the
// best and the counts of a run equal those on the CPU.
#include <gtest/gtest.h>

#include "engine/candidates/load_modules.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "frontend_gpu/device/cuda/cuda_device.h"
#include "tests/engine/device/told_device.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/search/shown_best.h"

namespace komuz::engine {
namespace {

constexpr const char* kNumbers =
    "n,x,expected\n0,0.5,1.0\n1,-2.0,2.0\n3,1e300,0.0\n-7,0.25,5.0\n8,3.0,-1.0\n5,7.5,7.5\n";

// It chooses between arrays; some indices trap.
constexpr const char* kArrays =
    "pub fn f(n: i64, x: f64) -> f64 {\n"
    "    let a = [x, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];\n"
    "    let b = [?(0.5..1.5, steps: 3); 9];\n"
    "    ?xs[a, b][n] * ?k[1.0, x, -?(1.0..2.0, steps: 2)]\n"
    "}\n";
// Whether a function is recursive is decided. Some variants are the same program.
constexpr const char* kRecursive =
    "fn g(n: i64) -> i64 rec 30 { if n <= 0 { ?(0..2) } else { ?r[g(n - 1) + 1, n, g(n - 2)] } }\n"
    "pub fn f(n: i64, x: f64) -> f64 { f64(g(n)) * ?k[x, x] }\n";

class DeviceExpands : public testing::Test {
 protected:
  // Machines that run programs, each with one that compiles them.
  struct Machine {
    std::unique_ptr<vm::WarpDevice> warps;
    std::unique_ptr<frontend::BatchCompiler> compiler;
  };

  DeviceExpands() {
    machines_.push_back({vm::emulated_warp_device(), std::make_unique<frontend::BatchCompiler>(
                                                         frontend::emulated_device(1, 2))});
    auto warps = vm::open_cuda_device();
    auto compiler = frontend::open_device_compiler();
    if (!warps.problem() && !compiler.problem())
      machines_.push_back({std::move(warps.value().device), std::move(compiler.value().compiler)});
    options_.machines.threads = 2;
    options_.ranking.best_rows = 6;
    options_.details.keep_details = false;
    options_.ranking.score = ScoreKind::AbsoluteError;
  }

  SketchProgram sketch_of(const std::string& source) {
    frontend::Options options;
    if (options_.programs.modules != nullptr) {
      modules_.load(source);
      options.library = &modules_.library();
      options.harness = options_.programs.harness;
      options.harness_entry = options_.programs.entry;
    }
    std::optional<SketchProgram> sketch = read_sketch(source, options);
    EXPECT_TRUE(sketch) << source;
    EXPECT_NE(sketch->obstacle, BindObstacle::None) << source;
    return std::move(*sketch);
  }
  test::ShownBest run(CandidateSource& candidates, const EvaluateOptions& options,
                      ResultSink* learner = nullptr) {
    test::LinesOfPrograms sink(false);
    Results results;
    const Problem error =
        evaluate(candidates, cases_, options, results, learner == nullptr ? &sink : learner);
    EXPECT_FALSE(error) << error.text();
    EXPECT_TRUE(results.complete);
    return test::shown_best(results, sink);
  }
  // Compares the CPU with each machine, by `run_one` with the options of each. `stays`: nothing comes to the host.
  template <class RunOne>
  void compare(const EvaluateOptions& options, const RunOne& run_one, bool stays = true) {
    const test::ShownBest wanted = run_one(options);
    ASSERT_FALSE(wanted.best.empty());
    for (const Machine& machine : machines_) {
      SCOPED_TRACE(machine.warps->gpu() < 0 ? "emulated" : "on a GPU");
      test::ToldDevice told(*machine.warps);
      EvaluateOptions own = options;
      own.machines.device = &told;
      own.machines.compiler = machine.compiler.get();
      EXPECT_EQ(run_one(own), wanted);
      EXPECT_EQ(told.resident_runs() > 0, stays);
      if (stays) {
        EXPECT_EQ(told.other_runs(), 0u) << "variants came to the host";
      }
    }
  }
  void sweep(const std::string& source, const VariantChoice& choice = {}, bool stays = true) {
    SCOPED_TRACE(source);
    const SketchProgram sketch = sketch_of(source);
    EvaluateOptions options = options_;
    options.programs.sketch = &sketch;
    compare(
        options,
        [&](const EvaluateOptions& own) {
          SketchCandidates candidates(sketch.source, sketch.plan, choice);
          return run(candidates, own);
        },
        stays);
  }

  CasesTable cases_ = test::table_of(kNumbers);
  ModuleLoader modules_;
  EvaluateOptions options_;
  std::vector<Machine> machines_;
};

TEST_F(DeviceExpands, ArraysAndRecursion) {
  for (const ScoreKind score : {ScoreKind::Exact, ScoreKind::AbsoluteError}) {
    SCOPED_TRACE(score_name(score));
    options_.ranking.score = score;
    sweep(kArrays);
    sweep(kRecursive);
  }
}

TEST_F(DeviceExpands, SamplesAndTheBestOfEachBehaviour) {
  sweep(kArrays, {.samples = 11, .seed = 3});
  options_.ranking.best_of_each_behaviour = true;
  sweep(kRecursive);
}

// The entry that takes slices is called by a function of its own, which has constants.
TEST_F(DeviceExpands, Slices) {
  cases_ = test::table_of(
      "xs,k,expected\n\"[(1, 2.0), (3, 4.0)]\",1,3\n\"[(3, 0.5)]\",0,9\n\"[(1, 2.0), (2, 1.0), (4, "
      "0.0)]\",3,8\n");
  sweep(
      "pub fn f(xs: [(i64, f64)], k: i64) -> f64 {\n"
      "    let a = xs.map(x => f64(x.0)).list(8);\n"
      "    let b = xs.map(x => x.1).list(8);\n"
      "    ?m[a, b].sum() + ?c[a, b, xs.map(x => 1.5).list(8)][?i[0, k]]\n"
      "}\n");
}

TEST_F(DeviceExpands, SpacesOfLists) {
  cases_ = test::table_of("xs,expected\n\"[1, 2]\",3\n\"[3]\",6\n\"[1, 2, 4]\",8\n\"[]\",0\n");
  sweep(
      "pub fn f(xs: List[i64, 6]) -> i64 { ?e(xs).sum() }\n"
      "space e(v: List[i64, 6]) -> List[i64, 6] depth 1 {\n"
      "    v, v.map(x => x * ?(1..3)).list(6), v.filter(x => x > ?t[1, 2]).list(6), "
      "e.reverse().list(6)\n"
      "}\n");
}

TEST_F(DeviceExpands, ModulesAreLinkedThere) {
  options_.programs.modules = &modules_;
  sweep(
      "use std.math;\nuse std.stats.{mean};\n"
      "pub fn f(n: i64, x: f64) -> f64 {\n"
      "    let a = [x, 1.0, mean([x, 2.0])];\n    let b = [0.5; 3];\n"
      "    ?xs[a, b][?i[0, 2]] + ?k[math.lerp(x, 1.0, 0.5), 0.0]\n"
      "}\n");
}

TEST_F(DeviceExpands, CandidatesOfAHarness) {
  options_.programs.harness = modules_.load_harness(
      "scale", {"scale.komuz",
                "pub fn weight(a: [f64; 3]) -> f64;\n"
                "pub fn score(n: i64, x: f64) -> f64 { weight([x, f64(n), 1.0]) * 2.0 }\n"});
  options_.programs.entry = "score";
  options_.programs.modules = &modules_;
  sweep(
      "pub fn weight(a: [f64; 3]) -> f64 {\n"
      "    let b = [?(0.0..1.0, steps: 3); 3];\n    ?c[a, b][?i[0, 1, 2]]\n}\n");
}

// Expressions from a space may be far larger than most: threads get more room, and all begins anew.
TEST_F(DeviceExpands, LargeVariantsGetMoreRoom) {
  sweep(
      "pub fn f(n: i64, x: f64) -> f64 { let a = [x, 1.0]; let b = [2.0; 2]; ?c[a, b][0] * ?e(x) "
      "}\n"
      "space e(x: f64) -> f64 depth 6 { e + e, x }\n",
      {.samples = 12, .seed = 1});
}

TEST_F(DeviceExpands, WhatOnlyTheHostCanWriteGoesTheOtherWay) {
  sweep(
      "pub fn f(n: i64, x: f64) -> f64 {\n"
      "    let a = [x; 2];\n    let b = [?(0.0..1.0, steps: 100000); 2];\n    ?c[a, b][0]\n}\n",
      {.samples = 5, .seed = 2}, false);
}

// A thread checks code with up to 256 calls.
TEST_F(DeviceExpands, WhatIsNotCheckedThereGoesTheOtherWay) {
  std::string source =
      "fn g(x: f64) -> f64 { x + 1.0 }\n"
      "pub fn f(n: i64, x: f64) -> f64 {\n    let a = [x, 1.0];\n    let b = [2.0; 2];\n"
      "    ?c[a, b][0]";
  for (u32 k = 0; k < 300; ++k) source += k % 10 == 0 ? "\n        + g(x)" : " + g(x)";
  sweep(source + "\n}\n", {}, false);
}

TEST_F(DeviceExpands, Searches) {
  const SketchProgram sketch = sketch_of(kArrays);
  EvaluateOptions options = options_;
  options.programs.sketch = &sketch;
  options.machines.epoch = 8;
  for (const SearchKind kind : {SearchKind::Evolve, SearchKind::Lexicase}) {
    SCOPED_TRACE(kSearchNames[static_cast<u32>(kind)]);
    compare(options, [&](EvaluateOptions own) {
      SearchOptions search{.kind = kind, .seed = 3, .population = 8, .generations = 3};
      settle(sketch.plan, search, own);
      test::LinesOfPrograms sink(false);
      SearchCandidates candidates(sketch.source, sketch.plan, search, &sink);
      return run(candidates, own, &candidates);
    });
  }
}

}  // namespace
}  // namespace komuz::engine
