// SPDX-License-Identifier: Apache-2.0
// Charts. The files of tests/services/golden are drawings; KOMUZ_UPDATE=1 rewrites them. check_report_pages.py checks
// that they are well-formed.
#include "services/charts/charts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "services/charts/number_text.h"
#include "tests/services/golden_text.h"
#include "tests/services/report_samples.h"

namespace komuz::test {
namespace {

using namespace services;

constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
constexpr f64 kNaN = std::numeric_limits<f64>::quiet_NaN();

u64 count(std::string_view text, std::string_view part) {
  u64 found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}
bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
std::string against_size(std::vector<f64> scores, std::vector<u64> sizes,
                         Better better = Better::Smaller) {
  return draw_score_against_size({scores, sizes, better, "score", {}});
}
std::string convergence(std::vector<f64> scores, Better better = Better::Smaller) {
  return draw_convergence({scores, {}, better, "score", {}});
}
std::vector<std::string> labels(const Scale& scale) {
  std::vector<std::string> found;
  for (const Tick& tick : scale.ticks())
    if (!tick.label.empty()) found.push_back(tick.label);
  return found;
}
Scale linear(f64 low, f64 high) {
  return Scale(ScaleKind::Linear, extent_of(std::vector<f64>{low, high}));
}
using Labels = std::vector<std::string>;

TEST(ChartNumbers, AreWrittenAlikeEverywhere) {
  EXPECT_EQ(shortest_text(0.1), "0.1");
  EXPECT_EQ(shortest_text(-0.0), "0");
  EXPECT_EQ(shortest_text(-kInfinity), "−∞");
  EXPECT_EQ(place_text(12.34), "12.3");
  EXPECT_EQ(place_text(-0.26), "-0.3");
  EXPECT_EQ(place_text(7.96), "8");
  EXPECT_EQ(decimal_text({-5, -3}, true), "−0.005");
  EXPECT_EQ(decimal_text({15, 2}, true), "1,500");
  EXPECT_EQ(decimal_text({250, 10}, false), "2.5e12");
  EXPECT_EQ(power_text(-12, false), "10⁻¹²");
  EXPECT_EQ(floor_log10(0.001), -3);
  EXPECT_EQ(floor_log10(999), 2);
  EXPECT_EQ(floor_log10(5e-324), -324);
}

TEST(ChartScale, TicksAreNiceNumbers) {
  EXPECT_EQ(labels(linear(0, 1)), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(linear(-3, 12)), (Labels{"−5", "0", "5", "10", "15"}));
  EXPECT_EQ(labels(linear(1000, 5000)), (Labels{"1,000", "2,000", "3,000", "4,000", "5,000"}));
  EXPECT_EQ(labels(linear(0, 3e9)).back(), "3e9");
}

TEST(ChartScale, ThereAreFewTicksWhateverTheValues) {
  const f64 most = std::numeric_limits<f64>::max(), least = std::numeric_limits<f64>::denorm_min();
  for (const auto& [low, high] : std::vector<std::pair<f64, f64>>{{0, 0},
                                                                  {7, 7},
                                                                  {-most, most},
                                                                  {most, most},
                                                                  {0, least},
                                                                  {least, least},
                                                                  {-1e-300, 1e300},
                                                                  {1e16, 1e16 + 2},
                                                                  {1, std::nextafter(1.0, 2.0)}}) {
    for (const Better better : {Better::Smaller, Better::Larger}) {
      const Scale scale = scale_of(extent_of(std::vector<f64>{low, high}), better);
      const Labels found = labels(scale);
      EXPECT_GE(found.size(), 2u) << low << " " << high;
      EXPECT_LE(found.size(), 9u) << low << " " << high;
      for (const f64 value : {low, high, -kInfinity, kInfinity}) {
        EXPECT_GE(scale.position(value), 0) << value;
        EXPECT_LE(scale.position(value), 1) << value;
      }
      EXPECT_TRUE(scale.holds(low) && scale.holds(high)) << low << " " << high;
    }
  }
}

TEST(ChartScale, IsLogarithmicWhereGoodScoresAreNearZero) {
  const std::vector<f64> errors = {1e-6, 0.5, 300};
  EXPECT_EQ(labels(scale_of(extent_of(errors), Better::Smaller)).front(), "10⁻⁶");
  EXPECT_EQ(labels(scale_of(extent_of(errors), Better::Larger)).front(), "0");
  const std::vector<f64> with_zero = {0, 1e-6, 0.5, 300};
  const Scale scale = scale_of(extent_of(with_zero), Better::Smaller);
  EXPECT_EQ(labels(scale).front(), "0");
  EXPECT_LT(scale.position(0), scale.position(1e-6));
  EXPECT_LT(scale.position(1e-6), 0.1);
  EXPECT_GT(scale.position(0.5), 0.5);
}

TEST(ChartScale, FewOutliersDoNotSquashTheRest) {
  std::vector<f64> scores;
  for (u32 k = 0; k < 200; ++k) scores.push_back(5 + k * 0.01);
  scores.push_back(1e30);
  const Scale scale = scale_without_outliers(scores, Better::Smaller);
  EXPECT_FALSE(scale.holds(1e30));
  EXPECT_EQ(scale.position(1e30), 1);
  EXPECT_GT(scale.position(6.9) - scale.position(5), 0.7);
  // The best one is never left out.
  scores.back() = -1e30;
  EXPECT_TRUE(scale_without_outliers(scores, Better::Smaller).holds(-1e30));
}

TEST(Charts, LookAsTheyDid) {
  const ReportSample sample = regression_sample();
  expect_golden("score_against_size.svg", draw_score_against_size(sample.columns()));
  expect_golden("convergence.svg", draw_convergence(sample.columns()));
  expect_golden("actual_against_expected.svg", draw_actual_against_expected(sample.cases()));
}

// What is predicted for a class is no class: there is no diagonal, and the words say so.
TEST(Charts, ClassesAreNotCompared) {
  const std::vector<f64> classes = {0, 0, 1, 1}, values = {-3, 1, 2, 40};
  const std::string svg = draw_actual_against_expected({classes, values, {}, true});
  EXPECT_TRUE(has(svg, "Predicted against measured class: above 0 is class 1"));
  EXPECT_TRUE(has(svg, "3 are on the right side of 0."));
  EXPECT_TRUE(has(svg, "case 3: class 1, got 40"));
  EXPECT_FALSE(has(svg, "actual = expected"));
}

TEST(Charts, TheFrontIsWhatNoOtherBeats) {
  const std::string svg = against_size({5, 3, 4, 1, 1, 2}, {10, 20, 30, 40, 50, 15});
  const std::string front = svg.substr(svg.find("<g class=\"chosen\">"));
  EXPECT_TRUE(has(front, "candidate 0: score 5, 10 bytes"));
  EXPECT_TRUE(has(front, "candidate 5: score 2, 15 bytes"));
  EXPECT_TRUE(has(front, "candidate 3: score 1, 40 bytes"));
  EXPECT_EQ(count(front, "<title>"), 3u);
}

TEST(Charts, TheFrontOfLargerScoresGoesUp) {
  const std::string svg = against_size({5, 3, 9}, {10, 20, 30}, Better::Larger);
  EXPECT_TRUE(has(svg, "larger is better"));
  const std::string front = svg.substr(svg.find("<g class=\"chosen\">"));
  EXPECT_EQ(count(front, "<title>"), 2u);
}

TEST(Charts, WithoutPointsTheySaySo) {
  EXPECT_TRUE(has(against_size({}, {}), "no candidate has a finite score"));
  EXPECT_TRUE(has(against_size({kNaN, kNaN}, {0, 0}), "no candidate has a finite score"));
  EXPECT_TRUE(has(against_size({kInfinity}, {8}), "no candidate has a finite score"));
  EXPECT_TRUE(has(convergence({}), "no candidate has a finite score"));
  EXPECT_TRUE(has(convergence({kNaN, kInfinity}), "no candidate has a finite score"));
  EXPECT_TRUE(has(draw_actual_against_expected({}), "no case has two numbers"));
}

TEST(Charts, OnePointAndEqualOnesStandInside) {
  for (const std::string& svg :
       {against_size({1}, {8}), against_size({2, 2, 2}, {8, 8, 8}), convergence({4, 4})}) {
    EXPECT_GE(count(svg, "<circle"), 1u);
    EXPECT_FALSE(has(svg, "nan"));
    EXPECT_FALSE(has(svg, "inf"));
  }
}

TEST(Charts, InfiniteScoresStandAtTheEdge) {
  const std::string svg = against_size({1, 2, kInfinity, kNaN}, {8, 16, 24, 32});
  EXPECT_EQ(count(svg, "class=\"beyond\""), 1u);
  EXPECT_TRUE(has(svg, "1 beyond the axis"));
  EXPECT_TRUE(has(svg, "1 without a score"));
  EXPECT_TRUE(has(convergence({1, kInfinity, kInfinity}, Better::Larger), "score ∞, after 2"));
}

TEST(Charts, ConvergenceIsLogarithmicOverDecades) {
  EXPECT_TRUE(has(convergence({1000, 10, 0.001}), ">0.01<"));
  EXPECT_TRUE(has(convergence({0.001, 10, 1000}, Better::Larger), ">0.01<"));
  EXPECT_TRUE(has(convergence({9, 5, 4}), ">5<"));
}

TEST(Charts, MillionsOfPointsAreAsSmallAsThousands) {
  std::vector<f64> scores;
  std::vector<u64> sizes;
  u64 state = 1;
  for (u32 k = 0; k < 1'000'000; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    scores.push_back(static_cast<f64>(state >> 40));
    sizes.push_back((state >> 20) % 4096);
  }
  // The very best comes last: it is drawn.
  scores.push_back(-1);
  sizes.push_back(1);
  const std::string svg = against_size(scores, sizes);
  EXPECT_LT(svg.size(), 1u << 20);
  EXPECT_TRUE(has(svg, "of 1,000,001 candidates drawn"));
  EXPECT_TRUE(has(svg, "candidate 1,000,000: score -1, 1 byte"));
  std::vector<f64> falling;
  for (u32 k = 0; k < 1'000'000; ++k) falling.push_back(1e6 - k);
  EXPECT_LT(convergence(falling).size(), 1u << 17);
  EXPECT_LT(draw_actual_against_expected({scores, scores, {}}).size(), 1u << 20);
}

TEST(Charts, NamesAreTextWhateverTheyHold) {
  const std::vector<f64> scores = {1};
  const std::vector<u64> sizes = {1};
  const std::string svg =
      draw_score_against_size({scores, sizes, Better::Smaller, "score", [](u64) {
                                 return std::string("</title><script>\"\x01\xFF\xEF\xBF\xBE");
                               }});
  EXPECT_TRUE(has(svg, "&lt;/title&gt;&lt;script&gt;&quot;\uFFFD\uFFFD\uFFFD: score 1"));
  EXPECT_FALSE(has(svg, "<script"));
}

TEST(Charts, SayWhatTheyShowToWhoDoesNotSeeThem) {
  const std::string svg = against_size({1, 2}, {8, 16});
  EXPECT_TRUE(has(svg, "role=\"img\" aria-labelledby=\"size-title size-text\""));
  EXPECT_TRUE(has(svg, "<title id=\"size-title\">Score against size</title>"));
  EXPECT_TRUE(has(svg, "On the Pareto front: 1"));
}

}  // namespace
}  // namespace komuz::test
