// SPDX-License-Identifier: Apache-2.0
// The front end on a GPU against the serial group. Without a GPU the tests say why they are skipped.
#include "frontend_gpu/device/cuda/cuda_device.h"

#include <gtest/gtest.h>

#include "tests/frontend/device_programs.h"
#include "tests/frontend/resident_programs.h"

namespace komuz::test {
namespace {

class CudaFrontEnd : public testing::Test {
 protected:
  void SetUp() override {
    Result<frontend::OpenedDeviceCompiler> opened = frontend::open_device_compiler();
    if (opened.problem()) GTEST_SKIP() << "no GPU: " << opened.problem().text();
    compiler_ = std::move(opened.value().compiler);
  }
  frontend::PathCounts expect_as_serial(const std::vector<std::string>& sources) {
    return test::expect_as_serial(*compiler_, sources);
  }

 private:
  std::unique_ptr<frontend::BatchCompiler> compiler_;
};

TEST(CudaFrontEndDoor, OpensADeviceOrSaysWhyNot) {
  const Result<frontend::OpenedDeviceCompiler> opened = frontend::open_device_compiler();
  if (opened.problem()) {
    EXPECT_TRUE(opened.problem().is(ProblemKind::Device));
    EXPECT_NE(opened.problem().message(), "");
  } else {
    EXPECT_NE(opened.value().compiler, nullptr);
    EXPECT_NE(opened.value().name, "");
  }
}

TEST_F(CudaFrontEnd, GoldenFiles) {
  const frontend::PathCounts paths = expect_as_serial(golden_sources());
  EXPECT_EQ(paths.on_host(), 0u) << paths.text();
  EXPECT_GT(paths.checked, 30u);
}
TEST_F(CudaFrontEnd, GeneratedPrograms) {
  const frontend::PathCounts paths = expect_as_serial(generated_programs(3000));
  EXPECT_EQ(paths.on_host(), 0u) << paths.text();
  EXPECT_GT(paths.checked, 2900u);
}
TEST_F(CudaFrontEnd, DamagedPrograms) { (void)expect_as_serial(damaged_programs(3000)); }

TEST_F(CudaFrontEnd, LongProgramsOnBlocks) {
  std::vector<std::string> sources;
  for (u32 functions = 20; functions < 48; ++functions) sources.push_back(long_program(functions));
  const frontend::PathCounts paths = expect_as_serial(sources);
  EXPECT_GT(paths.block, 20u) << paths.text();
}
TEST_F(CudaFrontEnd, DeepTrees) {
  (void)expect_as_serial({"pub fn f() -> i64 {\n" + repeated(2'500, "-") + "1 }",
                          "pub fn f() -> i64 {\n1 " + repeated(10'000, "+ 1") + "}"});
}
TEST_F(CudaFrontEnd, SourcesThatLieThere) {
  const Result<frontend::OpenedBatchDevice> opened = frontend::open_cuda_device();
  ASSERT_FALSE(opened.problem()) << opened.problem().text();
  frontend::CudaBatchDevice& device = *opened.value().device;
  for (const std::vector<std::string>& sources :
       {generated_programs(1000), damaged_programs(1000),
        std::vector<std::string>{long_program(20), "", "pub fn f() -> i64 { 1 }"}}) {
    frontend::DeviceAnswer answer;
    ASSERT_EQ(device.run(packed_programs(sources), answer).text(), "");
    const std::vector<std::string> wanted = bytes_of(answer);
    frontend::ResidentResults out;
    ASSERT_EQ(device.run_there(device.loaded(), out).text(), "");
    EXPECT_TRUE(out.results != nullptr && out.output != nullptr);
    ASSERT_EQ(device.fetch(answer).text(), "");
    EXPECT_TRUE(bytes_of(answer) == wanted);
  }
}
TEST_F(CudaFrontEnd, TheSameBytesAgain) {
  for (u32 round = 0; round < 5; ++round) (void)expect_as_serial(generated_programs(200));
}

}  // namespace
}  // namespace komuz::test
