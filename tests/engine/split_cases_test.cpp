// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/split_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/engine/evaluations.h"

namespace komuz::engine::test {
namespace {

CasesTable numbered_cases(size_t cases) {
  std::string csv = "x,expected\n";
  for (size_t k = 0; k < cases; ++k) csv += std::to_string(k) + "," + std::to_string(2 * k) + "\n";
  return table_of(csv);
}
std::vector<u64> lines_of(const CasesTable& table) {
  std::vector<u64> lines;
  for (size_t k = 0; k < table.rows.size(); ++k) {
    lines.push_back(table.rows[k].line);
    // Cells go with their row.
    EXPECT_EQ(table.text_of(table.cell(k, 0)), std::to_string(table.rows[k].line - 2));
  }
  return lines;
}

TEST(SplitCases, AShareIsRoundedAndLeavesSome) {
  EXPECT_EQ(cases_in_share(10, 0.2), 2u);
  EXPECT_EQ(cases_in_share(10, 0.25), 3u);
  EXPECT_EQ(cases_in_share(2, 0.01), 1u);
  EXPECT_EQ(cases_in_share(2, 0.99), 1u);
  EXPECT_EQ(cases_in_share(3, 0.999), 2u);
}

// They are a share of no part.
TEST(SplitCases, RowsThatWereLeftOutAreSaidOfNoPart) {
  CasesTable cases = numbered_cases(4);
  cases.left_out = {.lines = {7}, .column = "x"};
  const CasesTable moved = split_cases(cases, 1, 0);
  EXPECT_TRUE(cases.left_out.lines.empty());
  EXPECT_TRUE(moved.left_out.lines.empty());
}

TEST(SplitCases, PartsKeepTheirOrderAndMakeUpTheWhole) {
  for (const size_t count : {2, 3, 10, 1000})
    for (const size_t moved : {size_t{1}, count / 2, count - 1})
      for (const u64 seed : {0, 1, 77}) {
        CasesTable rest = numbered_cases(count);
        const CasesTable out = split_cases(rest, moved, seed);
        std::vector<u64> left = lines_of(rest), taken = lines_of(out);
        EXPECT_EQ(taken.size(), moved);
        EXPECT_TRUE(std::ranges::is_sorted(left));
        EXPECT_TRUE(std::ranges::is_sorted(taken));
        left.insert(left.end(), taken.begin(), taken.end());
        std::ranges::sort(left);
        EXPECT_EQ(left, lines_of(numbered_cases(count)));
      }
}

// These lines are those of every machine.
TEST(SplitCases, TheSeedSaysWhich) {
  const auto taken = [](u64 seed) {
    CasesTable rest = numbered_cases(20);
    return lines_of(split_cases(rest, 4, seed));
  };
  EXPECT_EQ(taken(0), taken(0));
  EXPECT_NE(taken(0), taken(1));
  // Each case is drawn about equally often.
  std::vector<u32> times(20);
  for (u64 seed = 0; seed < 1000; ++seed)
    for (const u64 line : taken(seed)) ++times[line - 2];
  for (const u32 number : times) EXPECT_NEAR(number, 200, 60);
}

}  // namespace
}  // namespace komuz::engine::test
