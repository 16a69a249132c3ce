// SPDX-License-Identifier: Apache-2.0
// The fuzzers of devices on the emulator for a bounded time, with fixed seeds. bin/fuzz_devices runs them endlessly,
// also on a GPU.
#include <gtest/gtest.h>

#include "tests/gen/device_fuzzers.h"

namespace komuz::test {
namespace {

// Gives other fuel in the last case of each program.
class WrongDevice final : public vm::WarpDevice {
 public:
  Problem load_cases(const CasesView& cases) override { return right_->load_cases(cases); }
  Problem run(const vm::WarpBatch& batch, const vm::WarpRun& run) override {
    return right_->run(batch, run);
  }
  Problem run(const vm::ResidentPrograms& programs, const vm::WarpRun& run) override {
    return right_->run(programs, run);
  }
  OutcomesView outcomes(const vm::WarpBatch& batch, u32 program) override {
    const OutcomesView view = right_->outcomes(batch, program);
    ++view.fuel[kEmulatedBatch.cases - 1];
    return view;
  }
  vm::ResidentOutcomes resident() override { return right_->resident(); }

 private:
  std::unique_ptr<vm::WarpDevice> right_ = vm::emulated_warp_device();
};

TEST(DeviceFuzzers, FindADeviceThatIsWrong) {
  FuzzedDevice device = fuzzed_emulator();
  device.warps = std::make_unique<WrongDevice>();
  DeviceFuzzers fuzzers(std::move(device), kEmulatedBatch);
  EXPECT_NE(fuzzers.machine(1).find("case 20: "), std::string::npos);
  EXPECT_NE(fuzzers.machine(1).find("the reference: "), std::string::npos);
}

class DeviceFuzz : public testing::Test {
 protected:
  void expect_agreement(std::string (DeviceFuzzers::*step)(u64), u64 seeds) {
    for (u64 seed = 1; seed <= seeds; ++seed)
      ASSERT_EQ((fuzzers_.*step)(seed), "") << "seed " << seed;
  }
  DeviceFuzzers fuzzers_{fuzzed_emulator(), kEmulatedBatch};
};

TEST_F(DeviceFuzz, FrontEnd) {
  expect_agreement(&DeviceFuzzers::front_end, 4);
  EXPECT_GT(fuzzers_.compiled, 8u);
  EXPECT_GT(fuzzers_.damaged, 4u);
}
TEST_F(DeviceFuzz, Machine) {
  expect_agreement(&DeviceFuzzers::machine, 8);
  EXPECT_GT(fuzzers_.ran, 1000u);
  EXPECT_GT(fuzzers_.trapped, fuzzers_.ran / 20);
  EXPECT_LT(fuzzers_.trapped, fuzzers_.ran - fuzzers_.ran / 20);
}
TEST_F(DeviceFuzz, Candidates) {
  expect_agreement(&DeviceFuzzers::candidates, 20);
  EXPECT_GT(fuzzers_.scored, 50u);
}
TEST_F(DeviceFuzz, Kernels) {
  expect_agreement(&DeviceFuzzers::kernels, 24);
#if defined(KOMUZ_HAVE_LLVM)
  EXPECT_GT(fuzzers_.by_kernels, 100u);
  EXPECT_GT(fuzzers_.natively, fuzzers_.by_kernels);
#endif
}
TEST_F(DeviceFuzz, Sketches) {
  expect_agreement(&DeviceFuzzers::sketches, 20);
  EXPECT_GT(fuzzers_.scored, 50u);
}
TEST_F(DeviceFuzz, Searches) {
  expect_agreement(&DeviceFuzzers::searches, 20);
  EXPECT_GT(fuzzers_.searched, 50u);
}

}  // namespace
}  // namespace komuz::test
