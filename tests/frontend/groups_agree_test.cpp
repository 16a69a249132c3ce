// SPDX-License-Identifier: Apache-2.0
// Every group gives the bytes of the serial one, under many schedules: on the golden files, on random programs, and on
// damaged ones. The emulated group also says when lanes race.
#include <gtest/gtest.h>

#include "gen/gen.h"
#include "tests/frontend/everywhere.h"
#include "tests/frontend/golden_sources.h"

namespace komuz::test {
namespace {

class GroupsAgree : public testing::Test {
 protected:
  // Is it refused?
  bool refuses(const std::string& source) {
    const bool ok = groups_.compile(source, difference_).ok;
    EXPECT_EQ(difference_, "") << source;
    return !ok;
  }

 private:
  EveryGroup groups_;
  std::string difference_;
};

TEST_F(GroupsAgree, OnGoldenFilesUnderManySchedules) {
  for (const std::string& source : golden_sources())
    for (u32 schedule = 0; schedule < 5; ++schedule) (void)refuses(source);
}

TEST_F(GroupsAgree, OnRandomPrograms) {
  for (u64 seed = 1; seed <= 60; ++seed) EXPECT_FALSE(refuses(gen::generate_program(seed)));
}

TEST_F(GroupsAgree, OnDamagedSources) {
  std::vector<std::string> sources = golden_sources();
  for (u64 seed = 1; seed <= 20; ++seed) sources.push_back(gen::generate_program(100 + seed));
  u32 refused = 0, programs = 0;
  for (const std::string& source : sources) {
    std::string text = source;
    for (u64 k = 0; k < 16; ++k, ++programs) {
      // Up to four damages, one upon the other.
      text = gen::mutate_source(k % 4 == 0 ? source : text, programs,
                                k % 2 == 0 ? gen::Mutation::Token : gen::Mutation::Byte);
      refused += refuses(text);
    }
  }
  EXPECT_GT(refused, programs / 4);
  EXPECT_LT(refused, programs);
}

// A damaged element of a tuple type has no type of its own: who asks for it does not look where check_types writes.
TEST_F(GroupsAgree, OnDamagedElementsOfTuples) {
  const char* const sources[] = {
      "fn f(a: (f64, (, f64)), b: i32) -> i64 { 1 }\n"
      "pub fn g() -> i64 { f((-24.75, (78.875, -1e+19)), 7) + f((1.0, (2.0, 3.0)), 8) }\n",
      "pub fn g(x: i32) -> i32 {\n"
      "  let t: (i64, \"s\" (i32, i32)) = (if true { (1, (x, x)) } else { (5, (x, x)) })\n"
      "  let (a, (b, c)) = t\n"
      "  b\n"
      "}\n",
      "pub fn g() -> i64 { let t = (1, (2, 3), max((4, 5), (6, 7.0))); t.0 }\n"};
  for (const char* const source : sources)
    for (u32 schedule = 0; schedule < 20; ++schedule) EXPECT_TRUE(refuses(source));
}

}  // namespace
}  // namespace komuz::test
