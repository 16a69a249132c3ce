// SPDX-License-Identifier: Apache-2.0
// Runs the steps of fuzz_session for a while.
#include <gtest/gtest.h>

#include "tests/repl/session_fuzzers.h"

namespace komuz::test {
namespace {

constexpr u64 kSeeds = 60;

TEST(SessionFuzz, SessionsOutliveAllInputs) {
  SessionFuzzers fuzzers;
  for (u64 seed = 0; seed < kSeeds; ++seed) ASSERT_EQ(fuzzers.inputs(seed), "") << "seed " << seed;
  EXPECT_LT(fuzzers.failed * 4, fuzzers.evaluated * 3) << "most inputs are wrong";
#if defined(KOMUZ_HAVE_LLVM)
  EXPECT_GT(fuzzers.native_cases, kSeeds / 4);
#endif
}

TEST(SessionFuzz, SavedSessionsAreMadeAgain) {
  SessionFuzzers fuzzers;
  for (u64 seed = 0; seed < kSeeds; ++seed) ASSERT_EQ(fuzzers.saved(seed), "") << "seed " << seed;
}

TEST(SessionFuzz, ExpressionsAreWorthTheSameEverywhere) {
  SessionFuzzers fuzzers;
  for (u64 seed = 0; seed < kSeeds; ++seed) ASSERT_EQ(fuzzers.values(seed), "") << "seed " << seed;
  EXPECT_LT(fuzzers.failed * 2, fuzzers.evaluated) << "most expressions are wrong";
}

}  // namespace
}  // namespace komuz::test
