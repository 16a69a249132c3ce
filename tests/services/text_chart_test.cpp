// SPDX-License-Identifier: Apache-2.0
// Charts of dots: where they stand, and that no chart is wider than it may be.
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

TEST(TextChart, WithoutPointsItSaysSo) {
  const CandidateColumns nothing{};
  EXPECT_EQ(write_text(score_against_size(nothing, "size"), 80),
            "Score against size\nno candidate has a finite score\n");
}

}  // namespace
}  // namespace komuz::services
