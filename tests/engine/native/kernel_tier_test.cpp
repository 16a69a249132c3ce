// SPDX-License-Identifier: Apache-2.0
// The tier with a GPU, for which the host stands in: when jobs move there, what becomes of failures, and that nothing of it
// shows in results.
#include <chrono>
#include <optional>
#include <thread>

#include "engine/native/tiered_machine.h"
#include "frontend_gpu/frontend.h"
#include "tests/backend/host_ptx_device.h"
#include "tests/engine/native/needs_backend.h"
#include "tests/engine/native/tier_programs.h"
#include "tests/vm/random_code.h"

namespace komuz::engine::test {
namespace {

using komuz::test::CaseRun;
using komuz::test::HostPtxDevice;

constexpr u32 kCases = 5000;
// Small enough that a suite of kCases has several jobs, and jobs that are too small.
constexpr TierRules kSmallCrowds = {.least_crowd = 1000, .whole_crowd = 2048};

std::string report_with(NativeTier* tier, u32 threads, u64 fuel = kTierFuel,
                        const std::vector<Candidate>& programs = kTierPrograms,
                        u32 cases = kCases) {
  EvaluateOptions options;
  options.limits.fuel = fuel;
  options.machines.native = tier;
  options.machines.threads = threads;
  return report_of(evaluate_all(programs, options, many_cases(cases)));
}

TEST(KernelTier, EveryChoiceGivesTheSameBytes) {
  KOMUZ_NEEDS_NATIVE;
  for (const u64 fuel : {kTierFuel, u64{300}}) {
    const std::string wanted = report_with(nullptr, 1, fuel);
    for (const NativeChoice choice :
         {NativeChoice::Never, NativeChoice::Auto, NativeChoice::Always})
      for (const u32 threads : {1u, 2u}) {
        const auto device = std::make_shared<HostPtxDevice>();
        NativeTier tier(choice, kSmallCrowds);
        tier.use_device(std::shared_ptr<backend::PtxDevice>(device));
        EXPECT_EQ(report_with(&tier, threads, fuel), wanted) << u32(choice) << ", fuel " << fuel;
        EXPECT_TRUE(tier.reasons().empty());
        // Rows that nobody has measured are off.
        EXPECT_EQ(device->launches().empty(), choice != NativeChoice::Always);
        EXPECT_EQ(tier.stats().kernel_cases != 0, choice == NativeChoice::Always);
        if (choice != NativeChoice::Always) continue;
        EXPECT_EQ(tier.stats().kernels, kTierPrograms.size());
        u32 most = 0;
        for (const HostPtxDevice::Launch& launch : device->launches()) {
          EXPECT_LE(launch.fuel, kMostKernelTicks);
          most = std::max(most, launch.rows);
        }
        EXPECT_EQ(most, kSmallCrowds.whole_crowd);
      }
  }
}

TEST(KernelTier, SmallSuitesStayHere) {
  KOMUZ_NEEDS_NATIVE;
  const auto device = std::make_shared<HostPtxDevice>();
  NativeTier tier(NativeChoice::Always);
  tier.use_device(std::shared_ptr<backend::PtxDevice>(device));
  const std::vector<Candidate> one(kTierPrograms.begin(), kTierPrograms.begin() + 1);
  EXPECT_EQ(report_with(&tier, 1, kTierFuel, one, 4000),
            report_with(nullptr, 1, kTierFuel, one, 4000));
  EXPECT_EQ(device->loads(), 0u);
  EXPECT_NE(tier.stats().native_cases, 0u);
}

const std::vector<Candidate> kLongRunning = {
    {"steps",
     "pub fn f(n: i64) -> i64 { var t = n; for i in 0..3000 { t = (t * 31 + i) % 10007; } t }",
     {}}};

// A program whose pace on the batch machine is what a test says, whatever the clock does: jobs of one machine with a tier
// whose rows for GPUs count.
class MovingJob {
 public:
  static constexpr u32 kRows = 4096;  // the least that a kernel runs

  MovingJob() {
    frontend::Compiler compiler;
    compiler.compile(kLongRunning[0].source, program_);
    entry_ = static_cast<u32>(program_.code.view().find_function("f"));
    std::vector<u64> row(kRows);
    for (u32 k = 0; k < kRows; ++k) row[k] = k;
    run_.emplace(program_.code, std::vector<std::vector<u64>>{row}, entry_);
    wanted_.emplace(program_.code, std::vector<std::vector<u64>>{row}, entry_);
    EXPECT_TRUE(run_->is_checked());
    wanted_->reference();
    tier_.use_device(std::shared_ptr<backend::PtxDevice>(device));
    machine_.begin();
  }
  // So many nanoseconds for so many ticks, besides what is measured.
  void note(u64 ticks, i64 ns) {
    tier_.find(program_.code.view(), entry_, Company::Many)->note_vm(ticks, ns);
  }
  // `waiting` behind a job.
  void run(u64 waiting) {
    machine_.run(run_->job(), waiting, run_->outcomes());
    EXPECT_EQ(run_->values, wanted_->values);
    EXPECT_EQ(run_->traps, wanted_->traps);
    EXPECT_EQ(run_->fuel, wanted_->fuel);
  }
  void wait_for_kernel() {
    for (u32 k = 0; k < 60'000 && tier_.stats().kernels == 0; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_EQ(tier_.stats().kernels, 1u);
  }
  [[nodiscard]] TierStats stats() const { return tier_.stats(); }

  std::shared_ptr<HostPtxDevice> device = std::make_shared<HostPtxDevice>();

 private:
  frontend::Compilation program_;
  u32 entry_ = 0;
  std::optional<CaseRun> run_, wanted_;
  NativeTier tier_{NativeChoice::Auto, {.notice_ns = 0, .uses_unmeasured_kernels = true}};
  TieredMachine machine_{&tier_};
};
constexpr u64 kManyWait = 1'000'000;

TEST(KernelTier, WhatRunsLongMovesThere) {
  KOMUZ_NEEDS_NATIVE;
  MovingJob job;
  job.note(1'000'000, 1'000'000'000'000);
  job.run(kManyWait);
  EXPECT_TRUE(job.device->launches().empty());
  job.wait_for_kernel();
  job.run(kManyWait);
  EXPECT_EQ(job.stats().kernel_cases, MovingJob::kRows);
  EXPECT_FALSE(job.device->launches().empty());
}

TEST(KernelTier, WhatPaysForNoKernelStays) {
  KOMUZ_NEEDS_NATIVE;
  // Hardly anything is waiting; a case takes next to nothing, so transfers would take longer.
  struct {
    u64 ticks;
    i64 ns;
    u64 waiting;
  } const kWork[] = {{1'000'000, 1'000'000'000'000, 100},
                     {1'000'000'000'000'000'000, 1'000'000'000'000, kManyWait}};
  for (const auto& work : kWork) {
    MovingJob job;
    job.note(work.ticks, work.ns);
    for (u32 k = 0; k < 3; ++k) job.run(work.waiting);
    EXPECT_EQ(job.device->loads(), 0u) << work.ticks << ", " << work.waiting;
    EXPECT_EQ(job.stats().kernel_cases, 0u);
  }
}

TEST(KernelTier, ASlowDeviceIsLeft) {
  KOMUZ_NEEDS_NATIVE;
  MovingJob job;
  job.note(1'000'000, 1'000'000'000'000);
  job.run(kManyWait);
  job.wait_for_kernel();
  // The same on the batch machine turns out to take nothing.
  job.note(u64{1} << 60, 0);
  job.device->on_launch = [](const HostPtxDevice::Launch&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  };
  job.run(kManyWait);
  EXPECT_EQ(job.device->launches().size(), 1u);
  EXPECT_EQ(job.stats().kernel_cases, 0u);
  EXPECT_GE(job.stats().left_again, 1u);  // native code of the host may be left, too
  job.run(kManyWait);
  EXPECT_EQ(job.device->launches().size(), 1u);
}

TEST(KernelTier, WhatCannotBeLoadedRunsHere) {
  KOMUZ_NEEDS_NATIVE;
  const std::string wanted = report_with(nullptr, 1);
  const auto device = std::make_shared<HostPtxDevice>();
  device->failing_loads = {0, ~0u};
  NativeTier tier(NativeChoice::Always, kSmallCrowds);
  tier.use_device(std::shared_ptr<backend::PtxDevice>(device));
  EXPECT_EQ(report_with(&tier, 2), wanted);
  EXPECT_EQ(device->loads(), kTierPrograms.size());
  EXPECT_TRUE(device->launches().empty());
  EXPECT_NE(tier.stats().native_cases, 0u);
  ASSERT_EQ(tier.reasons().size(), 1u);
  EXPECT_EQ(tier.reasons()[0], "no kernel of `f`: the stand-in loads nothing");
}

// The job in which a launch fails is run here, from its first row on. After three failures the device is not asked again.
TEST(KernelTier, FailuresOfLaunchesAreNoneOfResults) {
  KOMUZ_NEEDS_NATIVE;
  const std::string wanted = report_with(nullptr, 1);
  for (const u32 first : {0u, 1u, 4u}) {
    const auto device = std::make_shared<HostPtxDevice>();
    device->failing_launches = {first, ~0u};
    NativeTier tier(NativeChoice::Always, kSmallCrowds);
    tier.use_device(std::shared_ptr<backend::PtxDevice>(device));
    EXPECT_EQ(report_with(&tier, 1), wanted) << first;
    EXPECT_EQ(device->launches().size(), first + 3);
    EXPECT_FALSE(tier.has_device());
    EXPECT_FALSE(tier.wants_device());
    ASSERT_FALSE(tier.reasons().empty());
    EXPECT_EQ(tier.reasons()[0], "the GPU has failed in `f`: the stand-in launches nothing");
  }
  // One failure is no end of it.
  const auto device = std::make_shared<HostPtxDevice>();
  device->failing_launches = {1, 2};
  NativeTier tier(NativeChoice::Always, kSmallCrowds);
  tier.use_device(std::shared_ptr<backend::PtxDevice>(device));
  EXPECT_EQ(report_with(&tier, 1), wanted);
  EXPECT_TRUE(tier.has_device());
  EXPECT_GT(device->launches().size(), 3u);
}

TEST(KernelTier, WithoutADeviceItSaysWhy) {
  KOMUZ_NEEDS_NATIVE;
  NativeTier tier(NativeChoice::Always, kSmallCrowds);
  tier.use_device(Result<std::shared_ptr<backend::PtxDevice>>(device_problem("it is too old")));
  EXPECT_FALSE(tier.has_device());
  EXPECT_EQ(report_with(&tier, 1), report_with(nullptr, 1));
  ASSERT_EQ(tier.reasons().size(), 1u);
  EXPECT_EQ(tier.reasons()[0], "no kernels on the GPU: it is too old");
}

// A launch is what a stop waits for: large jobs have many.
TEST(KernelTier, AStopIsSeenBetweenLaunches) {
  KOMUZ_NEEDS_NATIVE;
  constexpr u32 kRows = 40'000;
  const auto device = std::make_shared<HostPtxDevice>();
  NativeTier tier(NativeChoice::Always, {.least_crowd = 1000, .whole_crowd = 1u << 20});
  tier.use_device(std::shared_ptr<backend::PtxDevice>(device));
  frontend::Compiler compiler;
  frontend::Compilation program;
  compiler.compile(kLongRunning[0].source, program);
  const auto entry = static_cast<u32>(program.code.view().find_function("f"));
  CaseRun run(program.code, {std::vector<u64>(kRows, 7)}, entry);
  ASSERT_TRUE(run.is_checked());
  TieredMachine machine(&tier);
  machine.begin();
  std::stop_source stop;
  run.stop = stop.get_token();
  const vm::Job job = run.job();
  machine.expect(job.code, job.function, kRows, job.stop);
  EXPECT_EQ(machine.crowd_of(kRows), kRows);
  device->on_launch = [&](const HostPtxDevice::Launch&) {
    if (device->launches().size() == 2) stop.request_stop();
  };
  machine.run(job, 0, run.outcomes());
  EXPECT_EQ(device->launches().size(), 2u);
}

TEST(KernelTier, RandomCodeAgreesWithReference) {
  KOMUZ_NEEDS_NATIVE;
  const char* const stated = std::getenv("KOMUZ_SEEDS");
  const u64 seeds = stated != nullptr ? std::strtoull(stated, nullptr, 10) : 20;
  for (u64 seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    const komuz::test::GeneratedCode made = komuz::test::generate_code(seed, 60);
    NativeTier tier(NativeChoice::Always, {.least_crowd = 64});
    tier.use_device(std::shared_ptr<backend::PtxDevice>(std::make_shared<HostPtxDevice>()));
    TieredMachine machine(&tier);
    machine.begin();
    for (const u32 cases : {100u, 1u, 63u, 300u}) {
      const u64 budget = cases == 100 ? 30 : 2000;
      const auto rows = komuz::test::random_cases(made.code, made.entry, cases, seed * 10);
      CaseRun run(made.code, rows, made.entry, cases, budget);
      CaseRun wanted(made.code, rows, made.entry, cases, budget);
      ASSERT_TRUE(run.is_checked());
      wanted.reference();
      const vm::Job job = run.job();
      machine.expect(job.code, job.function, cases, nullptr);
      machine.run(job, 0, run.outcomes());
      EXPECT_EQ(run.values, wanted.values) << "seed " << seed << ", " << cases;
      EXPECT_EQ(run.traps, wanted.traps) << "seed " << seed << ", " << cases;
      EXPECT_EQ(run.places, wanted.places) << "seed " << seed << ", " << cases;
      EXPECT_EQ(run.depths, wanted.depths) << "seed " << seed << ", " << cases;
      EXPECT_EQ(run.fuel, wanted.fuel) << "seed " << seed << ", " << cases;
    }
    const TierStats stats = tier.stats();
    EXPECT_TRUE(stats.kernels == 0 || stats.kernel_cases == 400) << "seed " << seed;
  }
}

}  // namespace
}  // namespace komuz::engine::test
