// SPDX-License-Identifier: Apache-2.0
// Random programs as native code: every operation, loops, calls, recursion, areas, references, early exits, with
// budgets that end some of them anywhere.
#include <gtest/gtest.h>

#include "tests/backend/native_agreement.h"
#include "tests/vm/random_code.h"

namespace komuz::test {
namespace {

TEST(NativeRandomCode, AgreesWithReference) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  const Seeds chosen = seeds({1, 60, 1009});
  for (u64 n = 0; n < chosen.count; ++n) {
    const u64 seed = chosen.first + n * chosen.stride;
    constexpr u32 kSizes[] = {12, 40, 120};
    const GeneratedCode program = generate_code(
        seed, kSizes[seed % 3], seed % 4 == 3 ? ProgramKind::Loops : ProgramKind::Any);
    const auto rows = random_cases(program.code, program.entry, 96, seed);
    constexpr u64 kBudgets[] = {20'000, 7, 100, 40'000};
    if (!agreement.expect(program.code, rows, program.entry, 96, kBudgets[seed / 3 % 4])) {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
  // What the backend refuses is not compared: it may be a few programs that need much of the stack.
  EXPECT_LE(agreement.refused() * 50, agreement.compared()) << agreement.last_refusal();
}

}  // namespace
}  // namespace komuz::test
