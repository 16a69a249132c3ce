// SPDX-License-Identifier: Apache-2.0
// Charts of dots: their places; and no chart exceeds its width.
#include "services/charts/text_chart.h"

#include <gtest/gtest.h>

#include <limits>

#include "services/display_text.h"

namespace komuz::services {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    lines.push_back(text.substr(at, text.find('\n', at) - at));
  return lines;
}

TEST(TextChart, PointsStandWhereTheyBelong) {
  Chart chart{.title = "T", .x = {"x", {}}, .y = {"y", {}}};
  chart.layers.push_back({LayerKind::Points, "points", {{0, 0, "", false}, {1, 1, "", false}}});
  chart.layers.push_back({LayerKind::Chosen, "", {{0.5, 0.999, "", false}}});
  const std::vector<std::string> lines = lines_of(write_text(chart, 40));
  ASSERT_EQ(lines.size(), 2u + 16u + 3u);
  EXPECT_EQ(lines[0], "T");
  EXPECT_EQ(lines[1], "y");
  EXPECT_TRUE(lines[2].ends_with("⠈")) << lines[2];  // the right upper corner
  EXPECT_NE(lines[2].find("●"), std::string::npos);
  EXPECT_NE(lines[17].find("⡀"), std::string::npos) << lines[17];  // the left lower one
  EXPECT_EQ(shown_width(lines[2]), 40u);
  EXPECT_EQ(shown_width(lines[18]), 40u);
}

TEST(TextChart, OfCandidates) {
  std::vector<f64> scores;
  std::vector<u64> sizes;
  for (u64 i = 0; i < 5000; ++i) {
    sizes.push_back(16 + i % 97);
    scores.push_back(static_cast<f64>((i * 7919) % 1000) / static_cast<f64>(sizes.back()));
  }
  scores[7] = std::numeric_limits<f64>::infinity();
  scores[8] = std::numeric_limits<f64>::quiet_NaN();
  const CandidateColumns candidates{.scores = scores, .sizes = sizes};
  for (const u32 width : {0u, 40u, 80u, 200u})
    for (const std::string& line :
         lines_of(write_text(score_against_size(candidates, "size"), width)))
      EXPECT_LE(shown_width(line), std::clamp(width, 40u, 100u)) << line;
}

TEST(TextChart, OverAColumn) {
  constexpr f64 kNan = std::numeric_limits<f64>::quiet_NaN();
  const std::vector<f64> column = {1, 2, 3, 4, 5}, expected = {1, 4, 9, kNan, 25};
  const auto chart_of = [&](const std::vector<f64>& actual) {
    return over_column({column, expected, actual, "x", "y", "p"}, "id");
  };
  const Chart alone = chart_of({});
  EXPECT_EQ(alone.title, "y over x");
  EXPECT_EQ(alone.notes, std::vector<std::string>{"4 cases"});
  EXPECT_EQ(alone.layers[0].marks.size(), 4u);
  EXPECT_TRUE(alone.layers[1].marks.empty());
  // A program's results are drawn as well; those that are far off are at the edge.
  const Chart both = chart_of({1, 5, 1e9});
  EXPECT_EQ(both.layers[1].label, "p");
  EXPECT_EQ(both.layers[1].marks.size(), 3u);
  EXPECT_TRUE(both.layers[1].marks[2].is_beyond);
  const std::vector<std::string> notes = {"4 cases", "p is drawn for the first 3 cases",
                                          "1 beyond the axis"};
  EXPECT_EQ(both.notes, notes);
  // If nothing is expected, only the results are drawn.
  const std::vector<f64> unknown(5, kNan), actual = {1, 2, 3, 4, 5};
  EXPECT_EQ(over_column({column, unknown, actual, "x", "y", "p"}, "id").message, "");
  EXPECT_EQ(over_column({column, unknown, {}, "x", "y", "p"}, "id").message,
            "no case has two numbers to draw");
}

TEST(TextChart, WithoutPointsItSaysSo) {
  const CandidateColumns nothing{};
  EXPECT_EQ(write_text(score_against_size(nothing, "size"), 80),
            "Score against size\nno candidate has a finite score\n");
}

}  // namespace
}  // namespace komuz::services
