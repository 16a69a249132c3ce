// SPDX-License-Identifier: Apache-2.0
// Native code for many cases at a time against the reference.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/backend/native_agreement.h"
#include "tests/vm/random_code.h"

namespace komuz::test {
namespace {

TEST(NativeLanes, RandomCodeAgreesWithReference) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  const char* const wanted = std::getenv("KOMUZ_SEEDS");
  const u64 count = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 40;
  const u64 stride = wanted != nullptr ? 1 : 1013;
  for (u64 n = 0; n < count; ++n) {
    const u64 seed = 1 + n * stride;
    constexpr u32 kSizes[] = {12, 40, 120};
    const GeneratedCode program =
        generate_code(seed, kSizes[n % 3], n % 4 == 3 ? ProgramKind::Loops : ProgramKind::Any);
    // The last vectors are not full.
    const u32 cases = 77;
    const auto rows = random_cases(program.code, program.entry, cases, seed);
    constexpr u64 kBudgets[] = {20'000, 7, 100, 40'000};
    if (!agreement.expect(program.code, rows, program.entry, cases, kBudgets[n / 3 % 4],
                          kLaneWays)) {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
  EXPECT_LE(agreement.refused() * 20, agreement.compared()) << agreement.last_refusal();
}

}  // namespace
}  // namespace komuz::test
