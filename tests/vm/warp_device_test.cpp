// SPDX-License-Identifier: Apache-2.0
// Batches of programs on machines of warps: emulated ones and, if there is one, a GPU. The tests of the batch machine
// (batch_test, programs_test, differential_test) also show that single programs agree with the reference.
#include "tests/vm/warp_run.h"

#include "base/gpu/devices.h"
#include "base/group/plain_machine.h"
#include "tests/vm/edge_values.h"
#include "tests/vm/random_code.h"
#include "vm/cuda/launch_plan.h"

namespace komuz::test {
namespace {

constexpr Scalar I = Scalar::I64;

// x ↦ x + n, with a trap where that overflows.
Code adds(i64 n) {
  CodeBuilder b;
  b.function("adds", {I}, {I}).load(0).i64_constant(n).op(Op::Add).end_function();
  return b.code;
}

class Devices : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!GetParam()) {
      device_ = vm::emulated_warp_device();
      return;
    }
    Result<vm::OpenedWarpDevice> opened = vm::open_cuda_device();
    if (opened.problem()) GTEST_SKIP() << "no GPU: " << opened.problem().text();
    device_ = std::move(opened.value().device);
  }
  std::unique_ptr<vm::WarpDevice> device_;
};
INSTANTIATE_TEST_SUITE_P(Warps, Devices, testing::Bool(),
                         [](const auto& of) { return of.param ? "Cuda" : "Emulated"; });

TEST_P(Devices, ABatchHasTheOutcomesOfEachProgram) {
  constexpr u32 kCases = 300;
  std::vector<u64> column;
  EdgeStream stream(I, 9);
  for (u32 i = 0; i < kCases; ++i) column.push_back(stream.next());
  std::vector<CaseRun> runs;
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  for (const i64 n : {1, -1, 7, 100}) {
    runs.emplace_back(adds(n), std::vector<std::vector<u64>>{column});
    const vm::Job job = runs.back().reference().job();
    ASSERT_TRUE(lowering.add(job.code, job.function, batch));
  }
  ASSERT_EQ(device_->load_cases(runs[0].job().cases).text(), "");
  ASSERT_EQ(device_->run(batch, {.cases = kCases}).text(), "");
  for (u32 k = 0; k < runs.size(); ++k) {
    CaseRun found(adds(0), {column});
    copy_outcomes(device_->outcomes(batch, k), found.outcomes());
    EXPECT_EQ(found.values, runs[k].values) << "program " << k;
    EXPECT_EQ(found.traps, runs[k].traps) << "program " << k;
    EXPECT_EQ(found.places, runs[k].places) << "program " << k;
    EXPECT_EQ(found.fuel, runs[k].fuel) << "program " << k;
  }
  // The cases from the 129th on are the same ones.
  ASSERT_EQ(device_->run(batch, {.first_case = 128, .cases = kCases - 128}).text(), "");
  const OutcomesView tail = device_->outcomes(batch, 2);
  for (u32 i = 128; i < kCases; ++i) {
    EXPECT_EQ(tail.values[i - 128], runs[2].values[i]);
    EXPECT_EQ(tail.traps[i - 128], runs[2].traps[i]);
  }
}

// Frames of every size: in each share of the shared memory, and in the device's memory.
TEST_P(Devices, FramesOfEverySize) {
  constexpr u16 kBounds[] = {2, 5, 20, 60, 300, 1000};
  for (const u16 rec : kBounds) {
    CodeBuilder b;
    b.function("down", {I}, {I}, rec);
    b.load(0).i64_constant(0).op(Op::Eq).if_().i64_constant(0).else_(1);
    b.i64_constant(1).load(0).i64_constant(1).op(Op::Sub).call(0).op(Op::Add).end_if();
    b.end_function();
    std::vector<u64> column;
    for (u32 i = 0; i < 200; ++i) column.push_back(u64{i} * rec / 190);
    CaseRun wanted(b.code, {column}), found(b.code, {column});
    wanted.reference();
    ASSERT_EQ(run_on(*device_, found.job(), found.outcomes()).text(), "");
    EXPECT_EQ(found.values, wanted.values) << "rec " << rec;
    EXPECT_EQ(found.traps, wanted.traps) << "rec " << rec;
    EXPECT_EQ(found.depths, wanted.depths) << "rec " << rec;
  }
}

TEST_P(Devices, NoProgramsAndNoCases) {
  vm::WarpBatch batch;
  EXPECT_EQ(device_->load_cases({}).text(), "");
  EXPECT_EQ(device_->run(batch, {.cases = 5}).text(), "");
  vm::WarpLowering lowering;
  const CaseRun run(adds(1), {{1}});
  ASSERT_TRUE(lowering.add(run.job().code, 0, batch));
  EXPECT_EQ(device_->run(batch, {.cases = 0}).text(), "");
  EXPECT_TRUE(device_->outcomes(batch, 0).values.empty());
}

TEST(WarpEmulator, OutcomesDoNotDependOnTheOrderOfLanes) {
  const GeneratedCode program = generate_code(5, 200);
  const auto rows = random_cases(program.code, program.entry, 200, 6);
  CaseRun wanted(program.code, rows, program.entry, 200, 500);
  wanted.reference();
  for (const u64 seed : {1, 2, 3, 4, 5}) {
    CaseRun found(program.code, rows, program.entry, 200, 500);
    const auto device = vm::emulated_warp_device(seed);
    ASSERT_EQ(run_on(*device, found.job(), found.outcomes()).text(), "");
    EXPECT_EQ(found.values, wanted.values);
    EXPECT_EQ(found.fuel, wanted.fuel);
  }
}

// Variables and constants are operands, and the result is stored by the operation that makes it.
TEST(WarpLowering, OneOperationForEachOperator) {
  CodeBuilder b;
  b.function("f", {I, I}, {I});  // (x · 3 + y) · (x − y)
  b.load(0).i64_constant(3).op(Op::Mul).load(1).op(Op::Add);
  b.load(0).load(1).op(Op::Sub).op(Op::Mul).end_function();
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  ASSERT_EQ(check_code(b.code.view(), b.code.functions).reason, "");
  ASSERT_TRUE(lowering.add(b.code.view(), 0, batch));
  EXPECT_EQ(batch.ops.size(), 1 + 4 + 1u);  // Enter, the operators, FunctionEnd
  EXPECT_EQ(batch.programs[0].cells,
            3u);  // two slots, and one value that waits while x − y is computed
}

// x² + x², with so many variables that are not used.
Code with_variables(u32 count) {
  CodeBuilder b;
  b.function("wide", {I}, {I});
  for (u32 k = 0; k < count; ++k) b.variable(I);
  b.load(0).load(0).op(Op::Mul).load(0).load(0).op(Op::Mul).op(Op::Add).end_function();
  EXPECT_EQ(check_code(b.code.view(), b.code.functions, 1u << 30).reason, "");
  return b.code;
}

// What does not fit the fields of warp code is left to the host, and the batch is as before.
TEST(WarpLowering, RefusesFramesThatItCannotNumber) {
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  const Code largest = with_variables(65'533), too_large = with_variables(65'534);
  ASSERT_TRUE(lowering.add(largest.view(), 0, batch));
  const size_t ops = batch.ops.size(), constants = batch.constants.size();
  EXPECT_FALSE(lowering.add(too_large.view(), 0, batch));
  EXPECT_EQ(batch.programs.size(), 1u);
  EXPECT_EQ(batch.ops.size(), ops);
  EXPECT_EQ(batch.places.size(), ops);
  EXPECT_EQ(batch.constants.size(), constants);
  EXPECT_EQ(batch.types.size(), 1u);
}

TEST(LaunchPlan, GroupsBySharesOfSharedMemory) {
  vm::WarpBatch batch;
  for (const u32 cells : {4, 50, 9, 4, 1000, 20}) {
    vm::WarpProgram& program = batch.programs.emplace_back();
    program.cells = cells;
    program.words = 10;
  }
  vm::LaunchPlan plan;
  const vm::SharedMemory shared{228 << 10, 227 << 10, 1 << 10};
  vm::plan_launches(batch, shared, 5, 4, plan);
  EXPECT_EQ(plan.order, (std::vector<u32>{0, 2, 3, 5, 1, 4}));
  ASSERT_EQ(plan.groups.size(), 4u);
  const u32 blocks[] = {5, 2, 1, 0}, ends[] = {3, 4, 5, 6};
  for (u32 k = 0; k < 4; ++k) {
    const vm::LaunchGroup& group = plan.groups[k];
    EXPECT_EQ(group.blocks_each, blocks[k]);
    EXPECT_EQ(group.end, ends[k]);
    EXPECT_EQ(group.begin, k == 0 ? 0 : ends[k - 1]);
    // They really fit: so many blocks of four warps, each block with what it costs besides.
    EXPECT_LE(group.blocks_each * (4 * group.bytes + shared.reserved), shared.bytes);
  }
  EXPECT_EQ(plan.groups[0].bytes, vm::warp_bytes(9, 10));

  // What is sorted one by one, in any order, comes into the same groups.
  const auto count = static_cast<u32>(batch.programs.size());
  std::vector<u32> order(size_t{count} * vm::LaunchClasses::kMost);
  u64 programs_of[vm::LaunchClasses::kMost] = {}, bytes_of[vm::LaunchClasses::kMost] = {};
  const vm::LaunchSort sort{batch.programs.data(), count,       vm::launch_classes(shared, 5, 4),
                            order.data(),          programs_of, bytes_of};
  for (u32 k = count; k-- > 0;) vm::sort_program(sort, k, PlainMachine{});
  vm::LaunchPlan sorted;
  vm::plan_launches(sort, programs_of, bytes_of, sorted);
  ASSERT_EQ(sorted.groups.size(), plan.groups.size());
  for (u32 k = 0; k < sorted.groups.size(); ++k) {
    const vm::LaunchGroup &group = sorted.groups[k], &wanted = plan.groups[k];
    EXPECT_EQ(group.blocks_each, wanted.blocks_each);
    EXPECT_EQ(group.bytes, wanted.bytes);
    std::vector<u32> own(order.begin() + group.begin, order.begin() + group.end);
    std::ranges::sort(own);
    EXPECT_EQ(own,
              std::vector<u32>(plan.order.begin() + wanted.begin, plan.order.begin() + wanted.end));
  }
}

TEST(Gpus, EitherAGpuOrAReason) {
  const gpu::Devices found = gpu::find_devices();
  const Result<vm::OpenedWarpDevice> opened = vm::open_cuda_device();
  EXPECT_TRUE(opened.problem() || opened.value().device != nullptr);
  if (found.devices.empty()) {
    EXPECT_NE(found.problem.message(), "");
    EXPECT_EQ(opened.problem().text(), found.problem.text());
  }
}

}  // namespace
}  // namespace komuz::test
