// SPDX-License-Identifier: Apache-2.0
#include "services/fit/settle_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/fit/fit_cases.h"
#include "services/fit/select_formula.h"

namespace komuz::services::test {
namespace {

// Rows of inputs `x` and `z`: x up to 2.
template <class Law>
engine::FitData rows_of(const Law& law, u32 count = 100) {
  engine::FitData data;
  data.file = "data.csv";
  data.target = data.target_name = "y";
  for (const char* const name : {"x", "z"}) {
    data.inputs.push_back({name, name, {}, {}});
    data.columns.emplace_back();
  }
  for (u32 row = 0; row < count; ++row) {
    const f64 x = (row + 1) * (2.0 / count), z = 1 + row * 37 % 100 * 0.05;
    data.columns[0].push_back(x);
    data.columns[1].push_back(z);
    data.expected.push_back(law(x, z));
    data.lines.push_back(row + 2);
  }
  return data;
}
// Noise of a row, from -1 to 1.
f64 noise_at(f64 x) { return std::sin(3000 * x); }

std::vector<FitFormula> all_settled(const engine::FitData& data, const std::string& body,
                                    const std::vector<Monotone>& wanted = {}, bool is_given = false,
                                    bool cuts_parts = true) {
  std::vector<u32> rows(data.rows());
  for (u32 k = 0; k < rows.size(); ++k) rows[k] = k;
  MonotoneCheck monotone;
  EXPECT_FALSE(monotone.open(data, rows, wanted));
  const Shortening shortening{{}, cuts_parts};
  std::vector<FitFormula> formulas(1);
  formulas[0].write("pub fn y(x: f64, z: f64) -> f64 { " + body + " }\n");
  formulas[0].is_given = is_given;
  const Problem problem =
      settle_numbers(engine::cases_of(data, rows), {}, monotone, formulas, &shortening, {});
  EXPECT_FALSE(problem) << problem.text();
  for (const FitFormula& one : formulas) EXPECT_TRUE(one.training.is_known) << one.text;
  return formulas;
}
// The best of what the formula becomes.
std::string settled(const engine::FitData& data, const std::string& body,
                    const std::vector<Monotone>& wanted = {}, bool is_given = false) {
  std::vector<FitFormula> all = all_settled(data, body, wanted, is_given);
  keep_front(all);
  return all.back().text;
}
std::vector<std::string> front_of(const engine::FitData& data, const std::string& body,
                                  const std::vector<Monotone>& wanted = {}) {
  std::vector<FitFormula> all = all_settled(data, body, wanted);
  keep_front(all);
  std::vector<std::string> out;
  for (const FitFormula& one : all) out.push_back(one.text);
  return out;
}

TEST(SettleNumbers, AnExactLawComesOutExact) {
  const engine::FitData data =
      rows_of([](f64 x, f64) { return 0.0036524871 * x * x + 1.7310295 * std::exp(-0.31 * x); });
  EXPECT_EQ(settled(data, "x * x * 0.003652487 + 1.731029 * exp(-0.3100001 * x) + 1e-8"),
            "x * x * 0.0036524871 + 1.7310295 * exp(-0.31 * x)");
}

TEST(SettleNumbers, DigitsThatTheRowsDoNotDetermineGo) {
  const engine::FitData data = rows_of([](f64 x, f64) { return 2.5 * x + 0.01 * noise_at(x); });
  EXPECT_EQ(settled(data, "2.4812345 * x"), "2.5 * x");
}

TEST(SettleNumbers, GivenFormulasKeepTheirNumbers) {
  const engine::FitData data = rows_of([](f64 x, f64) { return 3 * x; });
  EXPECT_EQ(settled(data, "2.4812345 * x", {}, true), "2.4812345 * x");
}

// The best line falls; the best of those that do not is the mean, to what the rows determine.
TEST(SettleNumbers, WhatIsWantedMonotoneStaysSo) {
  const engine::FitData data = rows_of([](f64 x, f64) { return 1 - 0.5 * x; });
  EXPECT_EQ(front_of(data, "0.25 * x + 1.0", {{"x", true}}), std::vector<std::string>{"0.5"});
  EXPECT_EQ(settled(data, "0.25 * x + 1.0"), "1.0 - 0.5 * x");
}

// Michaelis and Menten: one of three numbers of the quotient stands in for the others.
TEST(SettleNumbers, NumbersThatStandInForEachOtherBecomeFewer) {
  EXPECT_EQ(settled(rows_of([](f64 x, f64) { return 2.75 * x / (0.4 + x); }),
                    "110.0 * x / (17.0 + 41.0 * x) + 0.1"),
            "x / (0.4 + x) * 2.75");
  const engine::FitData noisy =
      rows_of([](f64 x, f64) { return 219 - 17.5 / (x + 0.092) + noise_at(x); });
  std::vector<FitFormula> all = all_settled(noisy, "219.0 - 110.0 / (0.58 + 6.3 * x)");
  EXPECT_FALSE(std::ranges::any_of(all, [](const FitFormula& one) { return one.size > 7; }));
  keep_front(all);
  EXPECT_EQ(all.back().text, "219.0 - 17.5 / (0.092 + x)");
}

TEST(SettleNumbers, OfManyRowsSomeAreTriedAndAllAreFitted) {
  const engine::FitData data =
      rows_of([](f64 x, f64) { return 2.75 * x / (0.4 + x) + (x > 1.9996 ? 10 : 0); }, 5000);
  const std::vector<std::string> front = front_of(data, "110.0 * x / (17.0 + 41.0 * x) + 0.1");
  EXPECT_TRUE(std::ranges::any_of(front, [](const std::string& text) {
    return text.starts_with("x / (0.4") && formula_size(text) == 7;
  }));
}

TEST(SettleNumbers, AFormulaWithoutItsInterceptStandsByItself) {
  const engine::FitData product =
      rows_of([](f64 x, f64 z) { return 2.5 * x * x * z + 0.1 * noise_at(x); });
  EXPECT_EQ(front_of(product, "2.4 * x * x * z + 0.3"),
            (std::vector<std::string>{"12.0", "13.0 * x", "x * z * 3.76", "x * x * z * 2.5"}));
  const engine::FitData quotient =
      rows_of([](f64 x, f64) { return 2.75 * x / (0.4 + x) + 0.01 * noise_at(x); });
  EXPECT_EQ(
      front_of(quotient, "2.6 * x / (0.35 + x) + 0.03"),
      (std::vector<std::string>{"1.78", "x + 0.77", "0.82 * x + 0.95", "x / (0.4 + x) * 2.75"}));
}

// Of the same size, and with a number less, which the others do not pay for.
TEST(SettleNumbers, MoreNumbersInAFormulaOfASizePayForThemselves) {
  const auto front = [](f64 intercept) {
    const engine::FitData data =
        rows_of([&](f64 x, f64) { return 2.75 * x / (0.4 + x) + intercept + 0.01 * noise_at(x); });
    return settled(data, "2.75 - 1.1 / (0.4 + x)");
  };
  EXPECT_EQ(front(0), "x / (0.4 + x) * 2.75");
  EXPECT_EQ(front(1), "3.75 - 1.1 / (0.4 + x)");
}

TEST(SettleNumbers, AnInterceptThatIsNotZeroStays) {
  const engine::FitData data =
      rows_of([](f64 x, f64 z) { return 2.5 * x * x * z + 3 + 0.1 * noise_at(x); });
  EXPECT_EQ(front_of(data, "2.4 * x * x * z + 0.3"),
            (std::vector<std::string>{"15.0", "15.4 * x", "x * z * 4.3", "x * x * z * 2.8",
                                      "x * x * z * 2.5 + 3.0"}));
}

TEST(SettleNumbers, PartsThatNoiseAloneAskedForGo) {
  const engine::FitData data =
      rows_of([](f64 x, f64 z) { return 2.5 * x * z + 0.1 * noise_at(x); });
  const auto has = [&](const std::string& formula, const std::string& without) {
    const std::vector<std::string> front = front_of(data, formula);
    return std::ranges::find(front, without) != front.end();
  };
  EXPECT_TRUE(has("1250.0 * x * tanh(0.002 * z)", "z * x * 2.5"));
  EXPECT_TRUE(has("(z + 900.0) / 900.0 * x * z * 2.5", "x * z * 2.5"));
  // Parts that are there for their units stay.
  const std::vector<FitFormula> whole =
      all_settled(data, "1250.0 * x * tanh(0.002 * z)", {}, false, false);
  EXPECT_TRUE(std::ranges::all_of(
      whole, [](const FitFormula& one) { return one.text.find("tanh") != std::string::npos; }));
}

}  // namespace
}  // namespace komuz::services::test
