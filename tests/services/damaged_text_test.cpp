// SPDX-License-Identifier: Apache-2.0
// Answers about texts with a missing token. KOMUZ_ALL=1 deletes every token of the corpus instead of some, and tells
// which deletions cost most.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/services/damage.h"
#include "tests/services/program_parts.h"

namespace komuz::test {
namespace {

TEST(DamagedText, AnswersOutsideOfTheDamagedItemSurvive) {
  const bool is_whole = std::getenv("KOMUZ_ALL") != nullptr;
  Survival all;
  u32 first = 0;
  for (const auto& path : corpus()) {
    const std::string text = read_text(path);
    // Another place in each file.
    const u32 step = is_whole ? 1 : 97;
    std::string told;
    const Survival one = measure_survival(text, path.parent_path(), is_whole ? 0 : first++ % 13,
                                          step, is_whole ? &told : nullptr);
    all.deletions += one.deletions;
    all.asked += one.asked;
    all.survived += one.survived;
    if (is_whole && one.share() < 0.97)
      std::cout << path << ": " << 100 * one.share() << " % of " << one.asked << "\n" << told;
  }
  std::cout << all.deletions << " deletions: " << all.survived << " of " << all.asked
            << " answers survive, " << 100 * all.share() << " %\n";
  EXPECT_GE(all.share(), 0.95);
}

}  // namespace
}  // namespace komuz::test
