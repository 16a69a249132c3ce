// SPDX-License-Identifier: Apache-2.0
// Lines about candidates, and short names of their ranks.
#include "services/results/problem_text.h"

#include <gtest/gtest.h>

#include "services/display_text.h"
#include "services/results/ranked_name.h"

namespace komuz::services {
namespace {

// A narrow terminal cuts the id, and not what is said of it.
TEST(ProblemText, TheKindOfACaseIsWhole) {
  engine::FailureText failure;
  failure.line = 1234;
  failure.arguments = {"first = 1.23456789012345", "second = 1.23456789012345"};
  failure.expected = "2.0";
  failure.actual = "3.0";
  const std::string id(40, 'i');
  for (const u32 width : {70u, 60u, 50u, 10u}) {
    const std::string text = failure_text(id, failure, width, kWorstKind);
    EXPECT_NE(text.find(", worst: case on line 1,234\n"), std::string::npos) << text;
  }
  const std::string text = failure_text(id, failure, 70, kWorstKind);
  EXPECT_LE(shown_width(text.substr(0, text.find('\n'))), 70u);
  EXPECT_NE(failure_text(id, failure, 200, kWorstKind).find(id + ", worst: case on line"),
            std::string::npos);
}

TEST(RankedName, CopiesHaveRanksToo) {
  engine::Results results;
  for (const u32 rank : {1u, 4u}) {
    results.add_id("c" + std::to_string(rank));
    results.rows.push_back({});
    results.rows[static_cast<u32>(results.ranking.size())].rank = rank;
    results.ranking.push_back(static_cast<u32>(results.ranking.size()));
  }
  EXPECT_EQ(ranked_name(results, "@4").value(), "c4");
  EXPECT_EQ(ranked_name(results, "@2").problem().message(),
            "nobody has the rank `@2`: the column `rank` counts copies, too, and between @1 and @4 "
            "are copies of those before");
  EXPECT_EQ(ranked_name(results, "@5").problem().message(),
            "nobody has the rank `@5`: the last one of the ranking is @4");
}

}  // namespace
}  // namespace komuz::services
