// SPDX-License-Identifier: Apache-2.0
// The fuzzers of the formatter for a bounded time, with fixed seeds. bin/fuzz_format runs them endlessly.
#include <gtest/gtest.h>

#include "tests/services/format_fuzzers.h"

namespace komuz::test {
namespace {

TEST(FormatFuzz, GeneratedPrograms) {
  FormatFuzzers fuzzers;
  for (u64 seed = 1; seed <= 1000; ++seed)
    ASSERT_EQ(fuzzers.generated(seed), "") << "seed " << seed;
  EXPECT_EQ(fuzzers.checker.compiled, 1000u);
}

TEST(FormatFuzz, HeadsThatEndInBlocks) {
  FormatFuzzers fuzzers;
  for (u64 seed = 1; seed <= 500; ++seed)
    ASSERT_EQ(fuzzers.block_heads(seed), "") << "seed " << seed;
  EXPECT_EQ(fuzzers.checker.compiled, 500u);
}

TEST(FormatFuzz, BlanksHaveNoSay) {
  FormatFuzzers fuzzers;
  for (u64 seed = 1; seed <= 1500; ++seed) ASSERT_EQ(fuzzers.blanks(seed), "") << "seed " << seed;
  EXPECT_GT(fuzzers.compared, 800u);
}

TEST(FormatFuzz, CommentsAnywhere) {
  FormatFuzzers fuzzers;
  for (u64 seed = 1; seed <= 1500; ++seed) ASSERT_EQ(fuzzers.comments(seed), "") << "seed " << seed;
  EXPECT_EQ(fuzzers.checker.formatted, 1500u);
}

TEST(FormatFuzz, DamagedPrograms) {
  FormatFuzzers fuzzers;
  for (u64 seed = 1; seed <= 6000; ++seed) ASSERT_EQ(fuzzers.damaged(seed), "") << "seed " << seed;
  EXPECT_GT(fuzzers.checker.formatted, 700u);
}

}  // namespace
}  // namespace komuz::test
