// SPDX-License-Identifier: Apache-2.0
// The formatter on generated and on damaged programs, with fixed seeds.
#include <gtest/gtest.h>

#include "base/random.h"
#include "gen/gen.h"
#include "services/format.h"
#include "tests/services/format_checks.h"
#include "tests/services/relayout.h"

namespace komuz::test {
namespace {

std::string generated(u64 seed) {
  Random random(seed ^ 0xF0F0);
  gen::Options options;
  options.functions = 1 + random.below(6);
  options.statements = random.below(6);
  options.depth = 1 + random.below(6);
  return gen::generate_program(seed, options);
}

TEST(FormatFuzz, GeneratedPrograms) {
  FormatChecker checker;
  for (u64 seed = 1; seed <= 1000; ++seed)
    ASSERT_EQ(checker.check(generated(seed)), "") << "seed " << seed;
  EXPECT_EQ(checker.compiled, 1000u);
}

TEST(FormatFuzz, BlanksHaveNoSay) {
  frontend::Compiler compiler;
  u32 compared = 0;
  for (u64 seed = 1; seed <= 1000; ++seed) {
    const services::Formatted plain = services::format(compiler, generated(seed));
    ASSERT_TRUE(plain.ok);
    if (!comments_of(compiler, plain.text).empty()) continue;
    ++compared;
    const std::string other = relayout(compiler, plain.text, seed, Relayout::Blanks);
    ASSERT_EQ(services::format(compiler, other).text, plain.text) << "seed " << seed << "\n"
                                                                  << other;
  }
  EXPECT_GT(compared, 300u);
}

TEST(FormatFuzz, CommentsAnywhere) {
  FormatChecker checker;
  for (u64 seed = 1; seed <= 1000; ++seed) {
    const services::Formatted plain = services::format(checker.compiler, generated(seed));
    const std::string other = relayout(checker.compiler, plain.text, seed, Relayout::Comments);
    ASSERT_EQ(checker.check(other), "") << "seed " << seed;
  }
  EXPECT_EQ(checker.compiled, 1000u);
}

TEST(FormatFuzz, DamagedPrograms) {
  FormatChecker checker;
  for (u64 seed = 1; seed <= 6000; ++seed) {
    const auto kind = seed % 2 == 0 ? gen::Mutation::Byte : gen::Mutation::Token;
    ASSERT_EQ(checker.check(gen::mutate_source(generated(seed % 500), seed, kind)), "")
        << "seed " << seed;
  }
  EXPECT_GT(checker.formatted, 300u);
}

}  // namespace
}  // namespace komuz::test
