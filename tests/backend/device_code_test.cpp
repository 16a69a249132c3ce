// SPDX-License-Identifier: Apache-2.0
// The functions of kernels, run on the host, against the reference.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/backend/native_agreement.h"
#include "tests/backend/recursive_code.h"
#include "tests/vm/random_code.h"

namespace komuz::test {
namespace {

TEST(DeviceCode, RandomCodeAgreesWithReference) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  const char* const wanted = std::getenv("KOMUZ_SEEDS");
  const u64 count = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 40;
  const u64 stride = wanted != nullptr ? 1 : 1019;
  for (u64 n = 0; n < count; ++n) {
    const u64 seed = 1 + n * stride;
    constexpr u32 kSizes[] = {12, 40, 120};
    const GeneratedCode program =
        generate_code(seed, kSizes[n % 3], n % 4 == 3 ? ProgramKind::Loops : ProgramKind::Any);
    const auto rows = random_cases(program.code, program.entry, 96, seed);
    constexpr u64 kBudgets[] = {20'000, 7, 100, 40'000};
    if (!agreement.expect(program.code, rows, program.entry, 96, kBudgets[n / 3 % 4],
                          kDeviceWays)) {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
  EXPECT_LE(agreement.refused() * 20, agreement.compared()) << agreement.last_refusal();
}

// Recursion is a loop over frames here.
TEST(DeviceCode, RecursionOfAllKinds) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  const std::vector<u64> counts = {0, 1, 2, 3, 7, 12, 13, 40, 299, 300, 301, cell(-5)};
  for (const u64 budget : {u64{1}, u64{2}, u64{30}, kDefaultFuel}) {
    for (const u16 rec : {u16{1}, u16{2}, u16{300}})
      ASSERT_TRUE(agreement.expect(count_down(rec), {counts}, 0, 1, budget, kDeviceWays)) << rec;
    ASSERT_TRUE(agreement.expect(fibonacci(), {counts}, 0, 1, budget, kDeviceWays));
    ASSERT_TRUE(agreement.expect(even_and_odd(), {counts}, 0, 1, budget, kDeviceWays));
    ASSERT_TRUE(agreement.expect(frames_with_areas(), {counts}, 0, 1, budget, kDeviceWays));
    ASSERT_TRUE(agreement.expect(recursion_in_a_loop(), {counts}, 0, 1, budget, kDeviceWays));
  }
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

TEST(DeviceCode, BudgetsAreWhole) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  CodeBuilder b;
  b.function("f", {Scalar::I64}, {Scalar::I64});
  b.load(0).emit(Op::Ticks).tick().load(0).end_function();
  std::vector<u64> row;
  for (const i64 count : {i64{-1}, i64{0}, i64{1}, i64{16384}, i64{1} << 40,
                          std::numeric_limits<i64>::min(), std::numeric_limits<i64>::max()})
    row.push_back(cell(count));
  for (const u64 budget :
       {u64{0}, u64{1}, u64{2}, u64{16385}, u64{16386}, u64{1} << 41, ~u64{0} >> 1})
    ASSERT_TRUE(agreement.expect(b.code, {row}, 0, 1, budget, kDeviceWays)) << budget;
}

}  // namespace
}  // namespace komuz::test
