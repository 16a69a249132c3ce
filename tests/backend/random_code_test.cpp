// SPDX-License-Identifier: Apache-2.0
// Random programs as native code: every operation, loops, calls, recursion, areas, references, early exits, with
// budgets that end some of them anywhere.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/backend/native_agreement.h"
#include "tests/vm/random_code.h"

namespace komuz::test {
namespace {

// A stratum of the seeds; KOMUZ_SEEDS=N are the first N of all, for a long run.
struct Seeds {
  u64 count, stride;
};
Seeds seeds() {
  const char* const wanted = std::getenv("KOMUZ_SEEDS");
  if (wanted != nullptr) return {std::strtoull(wanted, nullptr, 10), 1};
  return {60, 1009};
}

TEST(NativeRandomCode, AgreesWithReference) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  const Seeds chosen = seeds();
  for (u64 n = 0; n < chosen.count; ++n) {
    const u64 seed = 1 + n * chosen.stride;
    constexpr u32 kSizes[] = {12, 40, 120};
    const GeneratedCode program =
        generate_code(seed, kSizes[n % 3], n % 4 == 3 ? ProgramKind::Loops : ProgramKind::Any);
    const auto rows = random_cases(program.code, program.entry, 96, seed);
    constexpr u64 kBudgets[] = {20'000, 7, 100, 40'000};
    if (!agreement.expect(program.code, rows, program.entry, 96, kBudgets[n / 3 % 4])) {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
  // What the backend refuses is not compared: it may be a few programs that need much of the stack.
  EXPECT_LE(agreement.refused() * 50, agreement.compared()) << agreement.last_refusal();
}

}  // namespace
}  // namespace komuz::test
