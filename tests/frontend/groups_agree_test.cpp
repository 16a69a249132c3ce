// SPDX-License-Identifier: Apache-2.0
// Every group gives the bytes of the serial one, under many schedules: on the golden files, and on broken ones.
#include <gtest/gtest.h>

#include "tests/frontend/everywhere.h"
#include "tests/frontend/mutations.h"

namespace komuz::test {
namespace {

TEST(GroupsAgree, OnGoldenFilesUnderManySchedules) {
  EveryGroup groups;
  std::string difference;
  for (const std::string& source : golden_sources()) {
    for (u32 schedule = 0; schedule < 5; ++schedule) {
      (void)groups.compile(source, difference);
      ASSERT_EQ(difference, "") << source;
    }
  }
}

TEST(GroupsAgree, OnMutatedSources) {
  EveryGroup groups;
  std::string difference;
  Random random(1);
  u32 refused = 0, programs = 0;
  for (const std::string& source : golden_sources()) {
    for (u32 k = 0; k < 40; ++k, ++programs) {
      const std::string text = mutated(source, random);
      refused += !groups.compile(text, difference).ok;
      ASSERT_EQ(difference, "") << text;
    }
  }
  EXPECT_GT(refused, programs / 4);
  EXPECT_LT(refused, programs);
}

}  // namespace
}  // namespace komuz::test
