// SPDX-License-Identifier: Apache-2.0
// Programs and cases cut to what a run may hold give what they give on the CPU.
#include "engine/device_runner.h"

#include <gtest/gtest.h>

#include "engine/candidate_runner.h"
#include "engine/device.h"

namespace komuz::engine {
namespace {

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
      ASSERT_TRUE(on_device.place(i % 2, runner.code(), runner.entry(), sources[i], found[i]));
    }
    ASSERT_FALSE(on_device.run(suite, {}, pool, {}));
    for (u32 i = 0; i < sources.size(); ++i) {
      CandidateResult wanted;
      ASSERT_TRUE(runner.compile({"a", sources[i], {}}, {}, wanted));
      runner.run(sources[i], suite, {}, {}, wanted);
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

TEST(Device, TheCpuIsAlwaysThereAndAutoNeverFails) {
  EXPECT_EQ(open_device(DeviceChoice::Cpu).warps, nullptr);
  EXPECT_EQ(open_device(DeviceChoice::Cpu).compiler, nullptr);
  EXPECT_EQ(open_device(DeviceChoice::Cpu).problem, "");
  EXPECT_EQ(open_device(DeviceChoice::Auto).problem, "");
  const Device demanded = open_device(DeviceChoice::Cuda);
  EXPECT_EQ(demanded.warps == nullptr, !demanded.problem.empty());
  EXPECT_EQ(demanded.compiler == nullptr, !demanded.problem.empty());
}

}  // namespace
}  // namespace komuz::engine
