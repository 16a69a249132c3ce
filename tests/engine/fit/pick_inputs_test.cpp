// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/pick_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace komuz::engine::test {
namespace {

// So many inputs of random numbers from -1 to 1, of which `formula` makes the target.
template <class Formula>
FitData random_data(u32 inputs, u32 rows, const Formula& formula) {
  FitData data;
  Random random(5);
  for (u32 k = 0; k < inputs; ++k) {
    data.inputs.push_back({"x" + std::to_string(k), "x" + std::to_string(k), {}, {}});
    std::vector<f64>& column = data.columns.emplace_back();
    for (u32 row = 0; row < rows; ++row)
      column.push_back(static_cast<f64>(random.below(2001)) / 1000 - 1);
  }
  for (u32 row = 0; row < rows; ++row) {
    data.expected.push_back(formula([&](u32 k) { return data.columns[k][row]; }));
    data.lines.push_back(row + 2);
  }
  return data;
}
std::vector<u32> picked(const FitData& data, u32 most) {
  std::vector<u32> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<u32> out = pick_inputs(data, rows, most);
  std::ranges::sort(out);
  return out;
}

TEST(PickInputs, FewInputsAreAllTaken) {
  const FitData data = random_data(3, 50, [](auto x) { return x(1); });
  EXPECT_EQ(picked(data, 3), (std::vector<u32>{0, 1, 2}));
}

TEST(PickInputs, ThoseThatTheTargetIsMadeOfAreFound) {
  const FitData sums =
      random_data(200, 500, [](auto x) { return 3 * x(17) - 2 * x(101) + x(150); });
  EXPECT_EQ(picked(sums, 3), (std::vector<u32>{17, 101, 150}));
  const FitData curves =
      random_data(200, 500, [](auto x) { return std::sin(3 * x(4)) + std::fabs(x(77)); });
  EXPECT_EQ(picked(curves, 2), (std::vector<u32>{4, 77}));
}

// Neither factor tells anything alone.
TEST(PickInputs, FactorsOfAProductAreFoundTogether) {
  const FitData data = random_data(40, 1000, [](auto x) { return x(7) * x(30); });
  EXPECT_EQ(picked(data, 2), (std::vector<u32>{7, 30}));
}

TEST(PickInputs, ThousandsOfInputsAreCutDownFirst) {
  const FitData data = random_data(3000, 200, [](auto x) { return 5 * x(2500) + x(11); });
  const std::vector<u32> best = picked(data, 4);
  EXPECT_TRUE(std::ranges::find(best, 2500u) != best.end());
}

TEST(PickInputs, OutliersOfTheTargetDoNotDecide) {
  FitData data = random_data(50, 400, [](auto x) { return x(20); });
  data.expected[3] = 1e12;
  EXPECT_EQ(picked(data, 1), (std::vector<u32>{20}));
}

}  // namespace
}  // namespace komuz::engine::test
