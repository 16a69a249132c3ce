// SPDX-License-Identifier: Apache-2.0
// Whole runs with variants that a device makes, in shards, with cut-offs and with interrupts: reports, streams and
// logs have the same bytes as on the CPU.
#include <gtest/gtest.h>

#include <functional>

#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/device/told_device.h"
#include "tests/engine/log/logged_runs.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

using test::Folder;
using test::LinesSink;
using test::ToldDevice;

// Traps, variants that are the same, expressions from a space; 2,656 variants.
constexpr const char* kSketch =
    "pub fn f(n: i64, x: f64) -> f64 {\n"
    "    ?a[x * ?(0.0..2.0, steps: 48), f64(n / ?(-1..3)), ?e(x), sqrt(x)] + ?b[0.0, x, ?e(1.5)]\n"
    "}\n"
    "space e(x: f64) -> f64 depth 1 { x, ?(0.5..2.5, steps: 4), e * e }\n";

// So many that a cut-off comes before the last.
CasesTable many_cases() {
  std::string csv = "n,x,expected\n";
  for (u32 k = 0; k < 300; ++k)
    csv += std::to_string(k % 7) + "," + std::to_string(k % 5) + ".5," + std::to_string(k % 5) +
           ".75\n";
  return test::table_of(csv);
}

class DeviceVariants : public testing::Test {
 protected:
  DeviceVariants() {
    devices_.push_back(vm::emulated_warp_device());
    if (auto opened = vm::open_cuda_device(); !opened.problem())
      devices_.push_back(std::move(opened.value().device));
    options_.programs.sketch = &*sketch_;
    options_.ranking.score = ScoreKind::AbsoluteError;
    options_.machines.threads = 3;
    options_.machines.epoch = 200;
    options_.machines.device_epoch = 500;
  }

  struct Shown {
    std::string report, stream, log;
    u64 rows = 0;
    bool complete = false;
    bool operator==(const Shown&) const = default;
  };
  // `path`: of a log, which may be there; empty: none.
  Shown run(EvaluateOptions options, const std::string& path = "",
            std::stop_token stop = {}) const {
    SketchCandidates candidates(sketch_->source, sketch_->plan, {});
    ResultLog log;
    if (!path.empty()) {
      EXPECT_FALSE(log.resume(path, make_header("1.0", "eval", options, cases_, {})));
      options.details.log = &log;
    }
    Results results;
    LinesSink sink;
    const Problem error =
        evaluate(candidates, cases_, options, results, &sink, nullptr, std::move(stop));
    EXPECT_FALSE(error) << error.text();
    return {test::report_of(results), sink.lines, path.empty() ? "" : test::content(path),
            results.rows.size(), results.complete};
  }
  // On each device that makes them.
  void on_devices(const EvaluateOptions& options,
                  const std::function<void(const Shown& shown)>& check) const {
    for (const auto& device : devices_) {
      SCOPED_TRACE(device->gpu() < 0 ? "emulated" : "on a GPU");
      u32 runs = 0;
      ToldDevice told(*device, [&] { ++runs; });
      EvaluateOptions own = options;
      own.machines.device = &told;
      check(run(own));
      EXPECT_GT(runs, 0u) << "nothing was made there";
    }
  }

  std::optional<SketchProgram> sketch_ = read_sketch(kSketch, {});
  CasesTable cases_ = many_cases();
  EvaluateOptions options_;
  std::vector<std::unique_ptr<vm::WarpDevice>> devices_;
};

TEST_F(DeviceVariants, InShardsTheyAreThoseOfTheCpu) {
  ASSERT_EQ(sketch_->plan.count().exact, 2656u);
  u64 rows = 0;
  for (const Shard shard : {Shard{0, 3}, Shard{1, 3}, Shard{2, 3}, Shard{1, 4}}) {
    SCOPED_TRACE(shard_text(shard));
    options_.programs.shard = shard;
    const Shown wanted = run(options_);
    if (shard.of == 3) rows += wanted.rows;
    on_devices(options_, [&](const Shown& shown) { EXPECT_EQ(shown, wanted); });
  }
  EXPECT_EQ(rows, 2656u);
}

TEST_F(DeviceVariants, CutOffsAndFirstFailuresAreThoseOfTheCpu) {
  for (const ScoreKind score : {ScoreKind::AbsoluteError, ScoreKind::Exact}) {
    SCOPED_TRACE(score_name(score));
    options_.ranking.score = score;
    options_.ranking.cut_off = 3;
    options_.ranking.ends_at_failure = score == ScoreKind::Exact;
    const Shown wanted = run(options_);
    if (score == ScoreKind::AbsoluteError) {
      EXPECT_NE(wanted.report.find("unscored"), std::string::npos);
    }
    on_devices(options_, [&](const Shown& shown) { EXPECT_EQ(shown, wanted); });
    options_.programs.shard = {1, 2};
    const Shown of_shard = run(options_);
    on_devices(options_, [&](const Shown& shown) { EXPECT_EQ(shown, of_shard); });
    options_.programs.shard = {};
  }
}

// A stop leaves the first rows, as they are on the CPU; what goes on by the log, on a device or not, ends with its
// bytes.
TEST_F(DeviceVariants, InterruptedRunsGoOnToTheSameBytes) {
  const Folder folder;
  const Shown wanted = run(options_, folder.file("whole.jsonl"));
  for (const auto& device : devices_) {
    for (const bool goes_on_there : {true, false}) {
      const std::string path = folder.file("part.jsonl");
      std::filesystem::remove(path);
      u64 before = 0;
      for (u32 part = 0; part < 2; ++part) {
        std::stop_source stop;
        u32 runs = 0;
        // The first epoch is done, the second one is not.
        ToldDevice told(*device, [&] {
          if (++runs == 2) stop.request_stop();
        });
        EvaluateOptions own = options_;
        own.machines.device = &told;
        const Shown shown = run(own, path, stop.get_token());
        EXPECT_FALSE(shown.complete);
        EXPECT_GT(shown.rows, before);
        EXPECT_LT(shown.rows, wanted.rows);
        EXPECT_TRUE(wanted.stream.starts_with(shown.stream));
        before = shown.rows;
      }
      EvaluateOptions own = options_;
      if (goes_on_there) own.machines.device = device.get();
      EXPECT_EQ(run(own, path), wanted);
    }
  }
}

}  // namespace
}  // namespace komuz::engine
