// SPDX-License-Identifier: Apache-2.0
// Programs and cases that are split to fit a run give the same results as on the CPU.
#include "engine/run/device_runner.h"

#include <gtest/gtest.h>

#include "engine/device.h"
#include "engine/run/candidate_runner.h"
#include "engine/sketch/sketch_candidates.h"
#include "tests/engine/evaluations.h"

namespace komuz::engine {
namespace {

// Slices of three lengths and numbers; what they expect is of no account.
std::string slice_cases(bool has_slices = true) {
  std::string csv = has_slices ? "xs,k,expected\n" : "k,expected\n";
  for (u32 n = 0; n < 300; ++n) {
    if (has_slices) csv += "\"[" + std::to_string(n % 7) + (n % 5 == 0 ? "" : ", 3, 1") + "]\",";
    csv += std::to_string(n % 4) + "," + std::to_string(n % 3) + "\n";
  }
  return csv;
}

TEST(DeviceRunner, CutsRunsToTheirSize) {
  std::string csv = "n,expected\n";
  for (u32 n = 0; n < 700; ++n) csv += std::to_string(n) + "," + std::to_string(2 * n) + "\n";
  CasesTable table;
  ASSERT_FALSE(read_csv_cases("cases.csv", csv, {}, table));
  const std::vector<std::string> sources = {
      "pub fn f(n: i64) -> i64 { n * 2 }", "pub fn f(n: i64) -> i64 { n + n / (n - 650) }",
      "pub fn f(n: i64) -> i64 { if n < 400 { n + n } else { 0 } }"};
  EvaluateOptions options;
  CandidateRunner runner(options);
  Suite suite;
  CandidateResult result;
  ASSERT_TRUE(runner.compile({"a", sources[0], {}}, {}, result));
  ASSERT_FALSE(make_suite(table, runner.signature(), suite));
  // 100: slices of 128 cases; 800: one program a run; a million: all at once.
  for (const u32 most_rows : {100u, 800u, 1'000'000u}) {
    const auto device = vm::emulated_warp_device();
    WorkerPool pool(2);
    DeviceRunner on_device(*device, options, pool.size(), most_rows);
    on_device.begin_epoch();
    std::vector<CandidateResult> found(sources.size());
    for (u32 i = 0; i < sources.size(); ++i) {
      ASSERT_TRUE(runner.compile({"a", sources[i], {}}, {}, found[i]));
      ASSERT_TRUE(on_device.enqueue(i % 2, runner.code(), runner.entry(), sources[i], found[i]));
    }
    ASSERT_FALSE(on_device.run(suite, {}, pool, {}));
    for (u32 i = 0; i < sources.size(); ++i) {
      CandidateResult wanted;
      ASSERT_TRUE(runner.compile({"a", sources[i], {}}, {}, wanted));
      runner.run_alone(sources[i], suite, {}, {}, wanted);
      EXPECT_TRUE(found[i].done);
      EXPECT_EQ(found[i].row.passed, wanted.row.passed) << most_rows;
      EXPECT_EQ(found[i].row.fuel, wanted.row.fuel);
      EXPECT_EQ(found[i].row.status, wanted.row.status);
      EXPECT_EQ(found[i].failure.case_index, wanted.failure.case_index);
      EXPECT_EQ(found[i].failure.actual, wanted.failure.actual);
      EXPECT_EQ(found[i].failure.column, wanted.failure.column);
    }
  }
}

// Two cells, errors, and slices, whose entry is called by an added function: each budget ends somewhere else.
TEST(DeviceRunner, SlicesAndTuplesAreScoredAsOnTheCpu) {
  std::string csv = "xs,expected\n";
  for (u32 n = 0; n < 200; ++n) {
    const std::string k = std::to_string(n % 7), l = std::to_string(n % 3);
    csv += "\"[" + k + (n % 5 == 0 ? "" : ", " + l) + "]\",\"[" + k + ", " + l + ".5]\"\n";
  }
  const auto candidate = [](std::string_view body) {
    return "pub fn f(xs: [i64]) -> (i64, f64) { " + std::string(body) + " }";
  };
  const std::vector<std::string> sources = {candidate("(xs[0], f64(xs.sum()))"),
                                            candidate("(xs[1], 0.5)"),
                                            candidate("(xs.max(), sqrt(f64(xs[0] - 3)))"),
                                            candidate("(xs.map(x => x / xs[0]).sum(), 1.0)")};
  std::vector<Candidate> candidates;
  for (const std::string& source : sources) candidates.push_back({"", source, {}});
  const auto warps = vm::emulated_warp_device();
  for (const ScoreKind kind : {ScoreKind::Exact, ScoreKind::AbsoluteError, ScoreKind::SquaredError})
    for (const u64 fuel : {0u, 1u, 2u, 3u, 5u, 1000u}) {
      EvaluateOptions options;
      options.ranking.score = kind;
      options.limits.fuel = fuel;
      const std::string wanted = test::report_of(test::evaluate_all(candidates, options, csv));
      options.machines.device = warps.get();
      EXPECT_EQ(test::report_of(test::evaluate_all(candidates, options, csv)), wanted) << fuel;
    }
}

// The same of a sketch, whose variants are made on the device with that function behind their own.
TEST(DeviceRunner, VariantsThatTakeSlicesAreMadeThere) {
  CasesTable table;
  ASSERT_FALSE(read_csv_cases("cases.csv", slice_cases(), {}, table));
  const auto sketch = read_sketch(
      "pub fn f(xs: [i64], k: i64) -> i64 { ?a[xs[?(0..3)], xs.map(x => x / k).sum(), ?e(k)] % "
      "?b[4, k] }\nspace e(k: i64) -> i64 depth 1 { k, ?(1..3), e * e }\n",
      {});
  ASSERT_TRUE(sketch);
  const auto warps = vm::emulated_warp_device();
  for (const u64 fuel : {0u, 1u, 2u, 4u, 1000u}) {
    std::string wanted;
    for (vm::WarpDevice* const device : {static_cast<vm::WarpDevice*>(nullptr), warps.get()}) {
      SketchCandidates candidates(sketch->source, sketch->plan, {});
      EvaluateOptions options;
      options.programs.sketch = &*sketch;
      options.limits.fuel = fuel;
      options.machines.device = device;
      Results results;
      ASSERT_FALSE(evaluate(candidates, table, options, results));
      ASSERT_EQ(results.rows.size(), sketch->plan.count().exact);
      if (device == nullptr)
        wanted = test::report_of(results);
      else
        EXPECT_EQ(test::report_of(results), wanted) << fuel;
    }
  }
}

// Made on the device, and run there in runs of every size, with what each case brought and without it.
TEST(DeviceRunner, RunsWhatItMakes) {
  for (const char* const parameter : {"xs: [i64], ", ""}) {
    CasesTable table;
    ASSERT_FALSE(read_csv_cases("cases.csv", slice_cases(*parameter != 0), {}, table));
    const std::string first = *parameter == 0 ? "k - 2" : "xs[?(0..3)]";
    const auto sketch = read_sketch("pub fn f(" + std::string(parameter) + "k: i64) -> i64 { ?a[" +
                                        first + ", ?e(k), 9 / k] % ?b[4, k] }\n" +
                                        "space e(k: i64) -> i64 depth 1 { k, ?(1..3), e * e }\n",
                                    {});
    ASSERT_TRUE(sketch);
    const u64 count = sketch->plan.count().exact;
    for (const CaseScores scores : {CaseScores::None, CaseScores::Kept}) {
      EvaluateOptions options;
      options.programs.sketch = &*sketch;
      options.details.case_scores = scores;
      CandidateRunner runner(options);
      Suite suite;
      CandidateResult unused;
      static_cast<void>(runner.identify({"#0", sketch->source, {}, {}, 0}));
      ASSERT_TRUE(runner.compile({"#0", sketch->source, {}, {}, 0}, {}, unused));
      ASSERT_FALSE(make_suite(table, runner.signature(), suite));
      ASSERT_TRUE(runner.accept(suite, unused));
      for (const u32 most_rows : {100u, 1000u, 1'000'000u}) {
        const auto device = vm::emulated_warp_device();
        WorkerPool pool(2);
        DeviceRunner on_device(*device, options, pool.size(), most_rows);
        ASSERT_TRUE(on_device.use_variants(runner.code(), runner.entry(), suite));
        VariantMaker::List list;
        for (u64 n = 0; n < count; ++n) list.add(n);
        on_device.begin_epoch();
        ASSERT_FALSE(on_device.make_variants(list));
        std::vector<CandidateResult> found(count);
        std::vector<Candidate> candidates;
        for (u64 n = 0; n < count; ++n) candidates.push_back({"", sketch->source, {}, {}, n});
        for (u32 n = 0; n < count; ++n) {
          ASSERT_EQ(on_device.made()[n].made, Made::Done);
          on_device.enqueue_made(n % 2, on_device.made()[n], candidates[n], found[n]);
        }
        ASSERT_FALSE(on_device.run(suite, {}, pool, {}));
        for (u32 n = 0; n < count; ++n) {
          CandidateResult wanted;
          static_cast<void>(runner.identify(candidates[n]));
          ASSERT_TRUE(runner.compile(candidates[n], {}, wanted));
          ASSERT_TRUE(runner.accept(suite, wanted));
          runner.run_alone(sketch->source, suite, {}, {}, wanted);
          EXPECT_TRUE(found[n].done);
          EXPECT_EQ(found[n].row.passed, wanted.row.passed);
          EXPECT_EQ(found[n].row.fuel, wanted.row.fuel);
          EXPECT_EQ(found[n].row.status, wanted.row.status);
          EXPECT_EQ(found[n].row.behaviour, wanted.row.behaviour);
          EXPECT_EQ(found[n].case_scores, wanted.case_scores);
          EXPECT_EQ(found[n].failure.case_index, wanted.failure.case_index);
          EXPECT_EQ(found[n].failure.column, wanted.failure.column);
          EXPECT_EQ(found[n].failure.depth, wanted.failure.depth);
        }
      }
    }
  }
}

// What variants take of the stack differs: those that the host refuses a device does not run.
TEST(DeviceRunner, TheStackOfVariantsIsThatOfTheHost) {
  CasesTable table;
  ASSERT_FALSE(read_csv_cases("cases.csv", slice_cases(), {}, table));
  const auto warps = vm::emulated_warp_device();
  u32 refused = 0;
  for (u32 limit = 64; limit < 600; limit += 8) {
    const auto sketch = read_sketch(
        "fn g(k: i64) -> i64 { ?e(k) }\npub fn f(xs: [i64], k: i64) -> i64 { xs[0] + g(k) }\n"
        "space e(k: i64) -> i64 depth 6 { k, k + (k * (k + (k * e))) }\n",
        {.stack_limit = limit});
    if (!sketch) continue;
    std::string reports[2];
    for (u32 way = 0; way < 2; ++way) {
      SketchCandidates candidates(sketch->source, sketch->plan, {});
      EvaluateOptions options;
      options.programs.sketch = &*sketch;
      options.limits.stack_limit = limit;
      options.machines.device = way == 0 ? nullptr : warps.get();
      Results results;
      ASSERT_FALSE(evaluate(candidates, table, options, results));
      reports[way] = test::report_of(results);
      for (const ResultRow& row : results.rows) refused += row.status == Status::Refused;
    }
    EXPECT_EQ(reports[1], reports[0]) << limit;
  }
  EXPECT_GT(refused, 0u);
}

TEST(Device, TheCpuIsAlwaysThereAndAutoNeverFails) {
  const Result<Devices> cpu = open_devices({.kind = DeviceKind::Cpu, .gpus = {}});
  ASSERT_FALSE(cpu.problem());
  EXPECT_TRUE(cpu.value().gpus.empty());
  EXPECT_FALSE(open_devices({}).problem());
  const Result<Devices> demanded = open_devices({.kind = DeviceKind::Cuda, .gpus = {}});
  if (demanded.problem()) {
    EXPECT_TRUE(demanded.problem().is(ProblemKind::Device));
    return;
  }
  ASSERT_EQ(demanded.value().gpus.size(), 1u);
  EXPECT_NE(demanded.value().gpus[0].warps, nullptr);
  EXPECT_NE(demanded.value().gpus[0].compiler, nullptr);
}

}  // namespace
}  // namespace komuz::engine
