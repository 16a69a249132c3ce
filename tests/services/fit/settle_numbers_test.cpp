// SPDX-License-Identifier: Apache-2.0
#include "services/fit/settle_numbers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/fit/fit_cases.h"

namespace komuz::services::test {
namespace {

// Rows of one input `x` from 0.02 to 2.
template <class Law>
engine::FitData rows_of(const Law& law) {
  engine::FitData data;
  data.file = "data.csv";
  data.target = data.target_name = "y";
  data.inputs.push_back({"x", "x", {}, {}});
  data.columns.emplace_back();
  for (u32 row = 0; row < 100; ++row) {
    data.columns[0].push_back((row + 1) * 0.02);
    data.expected.push_back(law(data.columns[0].back()));
    data.lines.push_back(row + 2);
  }
  return data;
}
std::string settled(const engine::FitData& data, const std::string& body,
                    const std::vector<Monotone>& wanted = {}, bool is_given = false) {
  std::vector<u32> rows(data.rows());
  for (u32 k = 0; k < rows.size(); ++k) rows[k] = k;
  MonotoneCheck monotone;
  EXPECT_FALSE(monotone.open(data, rows, wanted));
  std::vector<FitFormula> formulas(1);
  formulas[0].write("pub fn y(x: f64) -> f64 { " + body + " }\n");
  formulas[0].is_given = is_given;
  const Problem problem = settle_numbers(engine::cases_of(data, rows), {}, monotone, formulas, {});
  EXPECT_FALSE(problem) << problem.text();
  EXPECT_TRUE(formulas[0].training.is_known);
  return formulas[0].text;
}

TEST(SettleNumbers, AnExactLawComesOutExact) {
  const engine::FitData data =
      rows_of([](f64 x) { return 0.0036524871 * x * x + 1.7310295 * std::exp(-0.31 * x); });
  EXPECT_EQ(settled(data, "x * x * 0.003652487 + 1.731029 * exp(-0.3100001 * x) + 1e-8"),
            "x * x * 0.0036524871 + 1.7310295 * exp(-0.31 * x)");
}

TEST(SettleNumbers, DigitsThatTheRowsDoNotDetermineGo) {
  const engine::FitData data = rows_of([](f64 x) { return 2.5 * x + 0.01 * std::sin(3000 * x); });
  EXPECT_EQ(settled(data, "2.4812345 * x"), "2.5 * x");
}

TEST(SettleNumbers, GivenFormulasKeepTheirNumbers) {
  const engine::FitData data = rows_of([](f64 x) { return 3 * x; });
  EXPECT_EQ(settled(data, "2.4812345 * x", {}, true), "2.4812345 * x");
}

// The best line falls. Of those that do not, the number that rounds to 0 makes the best one.
TEST(SettleNumbers, WhatIsWantedMonotoneStaysSo) {
  const engine::FitData data = rows_of([](f64 x) { return 1 - 0.5 * x; });
  EXPECT_EQ(settled(data, "0.25 * x + 1.0", {{"x", true}}), "1.0");
  EXPECT_EQ(settled(data, "0.25 * x + 1.0"), "1.0 - 0.5 * x");
}

}  // namespace
}  // namespace komuz::services::test
