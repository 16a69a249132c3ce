// SPDX-License-Identifier: Apache-2.0
#include "services/fit/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/fit/fit_cases.h"
#include "services/fit/added_numbers.h"
#include "services/fit/described_formula.h"
#include "services/fit/draw_rows.h"
#include "services/fit/fit_text.h"

namespace komuz::services::test {
namespace {

struct Silent final : FitWatch {
  void on_progress(const Progress& /*progress*/) override {}
  void on_front(std::span<const FitFormula> /*front*/) override {}
};

// Rows of some inputs, of numbers from 0 to 2, with the target of a formula.
template <class Law>
engine::FitData data_of(std::vector<std::string> names, u32 rows, const Law& formula) {
  engine::FitData data;
  data.file = "data.csv";
  data.target = data.target_name = "y";
  for (size_t k = 0; k < names.size(); ++k) {
    data.inputs.push_back({names[k], names[k], {}, {}});
    std::vector<f64>& column = data.columns.emplace_back();
    for (u32 row = 0; row < rows; ++row)
      column.push_back(static_cast<f64>(1 + (row * (37 + 16 * k) + 11 * k) % rows) * 2 / rows);
  }
  for (u32 row = 0; row < rows; ++row) {
    data.expected.push_back(formula([&](size_t k) { return data.columns[k][row]; }));
    data.lines.push_back(row + 2);
  }
  return data;
}
Fit fitted(const engine::FitData& data, FitOptions options) {
  Silent watch;
  if (!options.generations) options.generations = 20;
  Result<Fit> made = fit({.data = data}, options, watch, {});
  EXPECT_FALSE(made.problem()) << made.problem().text();
  return std::move(made).value();
}
const FitFormula& taken(const Fit& fit) { return fit.front[fit.selected->formula]; }

TEST(Fit, FindsAnExactFormula) {
  const engine::FitData data =
      data_of({"a", "b"}, 100, [](auto x) { return 2.5 * x(0) * x(1) + 0.75; });
  const Fit found = fitted(data, {});
  ASSERT_TRUE(found.selected);
  EXPECT_GT(taken(found).held_out.r2, 1 - 1e-12);
  EXPECT_EQ(taken(found).size, 7u) << taken(found).text;
  EXPECT_EQ(found.training_rows, 80u);
  EXPECT_EQ(found.held_out_rows, 20u);
  EXPECT_TRUE(found.is_complete);
  EXPECT_EQ(found.function, "y");
}

// The bytes of all that is said, but for the clock.
TEST(Fit, IsTheSameWithAnyThreads) {
  const engine::FitData data = data_of({"a", "b", "c"}, 150, [](auto x) {
    return x(0) * std::exp(-x(1)) + 0.3 * x(2) + 0.01 * std::sin(1000 * x(0));
  });
  std::vector<std::string> texts;
  for (const u32 threads : {1, 3}) {
    FitOptions options;
    options.generations = 6;
    options.machines.threads = threads;
    texts.push_back(fit_json(fitted(data, options), options, {}, nullptr, "1.0"));
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(Fit, FewRowsAreNotSplit) {
  const Fit found = fitted(data_of({"a"}, 9, [](auto x) { return 2 * x(0); }), {.generations = 2});
  EXPECT_EQ(found.held_out_rows, 0u);
  EXPECT_EQ(found.training_rows, 9u);
}

TEST(Fit, FoldsJudgeAllRows) {
  FitOptions options;
  options.folds = 3;
  options.generations = 10;
  options.selection = Selection{SelectBy::Best};
  const Fit found =
      fitted(data_of({"a", "b"}, 60, [](auto x) { return x(0) * x(0) - x(1); }), options);
  EXPECT_EQ(found.searches.size(), 4u);
  ASSERT_TRUE(found.selected);
  EXPECT_EQ(taken(found).held_out.losses.size(), 60u);
  EXPECT_GT(taken(found).held_out.r2, 0.9);
}

TEST(Fit, SeedsMakeOneFront) {
  FitOptions options;
  options.seeds = 3;
  options.seed = 7;
  options.generations = 2;
  const Fit found = fitted(data_of({"a"}, 40, [](auto x) { return std::sin(3 * x(0)); }), options);
  ASSERT_EQ(found.searches.size(), 3u);
  EXPECT_EQ(found.searches[2].seed, 9u);
  for (size_t k = 1; k < found.front.size(); ++k) {
    EXPECT_GT(found.front[k].size, found.front[k - 1].size);
    EXPECT_LT(found.front[k].training.mean_loss, found.front[k - 1].training.mean_loss);
  }
}

TEST(Fit, FormulasHaveAtMostThisSize) {
  FitOptions options;
  options.most_size = 5;
  options.generations = 4;
  for (const FitFormula& formula :
       fitted(data_of({"a", "b"}, 60, [](auto x) { return std::sin(x(0)) * x(1) + x(0); }), options)
           .front)
    EXPECT_LE(formula.size, 5u);
}

// The best ones rise with `a`, and none of them is taken.
TEST(Fit, FormulasAreAsMonotoneAsIsWanted) {
  FitOptions options;
  options.generations = 6;
  options.monotone = {{"a", false}};
  const engine::FitData data = data_of({"a", "b"}, 80, [](auto x) { return 3 * x(0) + x(1); });
  const Fit found = fitted(data, options);
  ASSERT_FALSE(found.front.empty());
  EXPECT_LT(found.front.back().training.r2, 0.9);
  options.monotone = {{"a", true}, {"b", true}};
  EXPECT_GT(fitted(data, options).front.back().training.r2, 0.999);
  options.monotone = {{"z", true}};
  Silent watch;
  EXPECT_EQ(fit({.data = data}, options, watch, {}).problem().text(),
            "`--monotone` names `z`, which is no input of the formulas; name an input of numbers; "
            "`--input` says which columns are inputs");
}

TEST(Fit, UnitsKeepFormulasSound) {
  engine::FitData data = data_of({"m", "v"}, 80, [](auto x) { return 0.5 * x(0) * x(1) * x(1); });
  data.has_units = true;
  data.inputs[0].unit = engine::read_unit("kg").value();
  data.inputs[1].unit = engine::read_unit("m/s").value();
  data.target_unit = engine::read_unit("J").value();
  FitOptions options;
  options.depth = 3;
  const Fit found = fitted(data, options);
  ASSERT_TRUE(found.selected);
  EXPECT_GT(taken(found).held_out.r2, 1 - 1e-12) << taken(found).text;
}

// A bound that nine of ten rows are below.
TEST(Fit, QuantilesAreBounds) {
  FitOptions options;
  options.loss = FitLoss::Quantile;
  options.measure = 0.9;
  options.split = 0;
  options.generations = 15;
  options.operators = engine::read_operators("+ *").value();
  u32 row = 0;
  const engine::FitData data =
      data_of({"a"}, 200, [&](auto x) { return x(0) + static_cast<f64>(row++ * 73 % 200) / 200; });
  const Fit found = fitted(data, options);
  ASSERT_FALSE(found.front.empty());
  const std::vector<f64>& losses = found.front.back().training.losses;
  // Above the bound a row loses nine times what it loses below: at the optimum the mean is 0.5 * 0.9 * 0.1.
  EXPECT_NEAR(found.front.back().training.mean_loss, 0.045, 0.004);
  EXPECT_EQ(losses.size(), 200u);
}

TEST(Fit, ClassesAreOnTheRightSide) {
  FitOptions options;
  options.loss = FitLoss::Logistic;
  options.generations = 15;
  const engine::FitData data =
      data_of({"a", "b"}, 200, [](auto x) { return x(0) + x(1) > 2 ? 1.0 : 0.0; });
  const Fit found = fitted(data, options);
  ASSERT_TRUE(found.selected);
  EXPECT_GT(taken(found).held_out.right, 0.95) << taken(found).text;
}

TEST(Fit, ClassesAreTwo) {
  FitOptions options;
  options.loss = FitLoss::Hinge;
  Silent watch;
  const engine::FitData data = data_of({"a"}, 4, [](auto x) { return x(0); });
  EXPECT_EQ(fit({.data = data}, options, watch, {}).problem().text(),
            "data.csv:2: the target is 0.5 here, and `--loss hinge` is for two classes; write "
            "classes as 0 and 1, or as -1 "
            "and 1");
}

TEST(Fit, WeightsSayHowOftenARowCounts) {
  engine::FitData data = data_of({"a"}, 40, [](auto x) { return x(0); });
  data.weights_column = "w";
  // Rows of another law weigh nothing.
  for (u32 row = 0; row < data.rows(); ++row) {
    data.weights.push_back(row % 2 == 0 ? 1 : 0);
    if (row % 2 != 0) data.expected[row] = 100 + row;
  }
  FitOptions options;
  options.split = 0;
  const Fit found = fitted(data, options);
  ASSERT_TRUE(found.selected);
  EXPECT_LT(taken(found).training.mean_loss, 1e-20) << taken(found).text;
}

TEST(Fit, GivenFormulasTakePart) {
  const engine::FitData data =
      data_of({"a", "b"}, 60, [](auto x) { return std::sin(7.7 * x(0)) * std::exp(x(1)); });
  const engine::GivenProgram given[] = {
      {"mine", "pub fn y(a: f64, b: f64) -> f64 { sin(7.7 * a) * exp(b) }"}};
  Silent watch;
  Result<Fit> made = fit({.data = data, .given = given}, {.generations = 1}, watch, {});
  ASSERT_FALSE(made.problem());
  EXPECT_EQ(made.value().front.back().variant, "mine");
  EXPECT_EQ(taken(made.value()).variant, "mine");
}

// A formula that is close to the law, in a form that a search of one generation does not find by itself.
TEST(Fit, ASearchBeginsWithGivenFormulas) {
  const engine::FitData data = data_of({"a", "b"}, 100, [](auto x) {
    return std::sin(3.3 * x(0) + 0.4) * std::exp(-0.7 * x(1)) + 0.25 * x(0) * x(1);
  });
  const engine::GivenProgram given[] = {
      {"near",
       "pub fn f(b: f64, a: f64) -> f64 { 0.3 * a * b + sin(3.2 * a + 0.5) * exp(-0.6 * b) }"},
      {"far", "pub fn f(a: f64) -> f64 { tan(a) }"}};
  FitOptions options;
  options.generations = 12;
  Silent watch;
  const auto fitted_with = [&](std::span<const engine::GivenProgram> with) {
    Result<Fit> made = fit({.data = data, .given = with}, options, watch, {});
    EXPECT_FALSE(made.problem());
    return std::move(made).value();
  };
  const Fit without = fitted_with({}), found = fitted_with(given);
  EXPECT_EQ(found.starts.variants.size(), 1u);
  EXPECT_EQ(found.starts.not_held, 1u);
  EXPECT_EQ(found.starts.not_held_id, "far");
  EXPECT_EQ(found.starts.not_held_why, "it calls `tan`, which formulas are not made of");
  EXPECT_LT(without.front.back().training.r2, 1 - 1e-9);
  EXPECT_GT(found.front.back().training.r2, 1 - 1e-12) << found.front.back().text;
  EXPECT_FALSE(found.front.back().is_given);
}

// By the names of their parameters, whatever the order is.
TEST(Fit, GivenFormulasAreMonotoneByTheirNames) {
  FitOptions options;
  options.generations = 1;
  options.monotone = {{"a", true}};
  const engine::FitData data = data_of({"a", "b"}, 80, [](auto x) { return x(0) - x(1); });
  const engine::GivenProgram given[] = {
      {"rises", "pub fn f(b: f64, a: f64) -> f64 { exp(a) - exp(b) + 0.001 * a * b * b }"},
      {"falls", "pub fn check(b: f64, a: f64) -> f64 { b - a }"},
      {"alone", "pub fn y(b: f64) -> f64 { -b }"}};
  Silent watch;
  for (const auto& [one, takes_part] :
       {std::pair(given[0], true), std::pair(given[1], false), std::pair(given[2], true)}) {
    const Result<Fit> made = fit({.data = data, .given = {&one, 1}}, options, watch, {});
    ASSERT_FALSE(made.problem());
    const engine::Starts& starts = made.value().starts;
    EXPECT_EQ(starts.variants.size() + starts.not_held, takes_part ? 1u : 0u) << one.id;
  }
}

TEST(Fit, NumbersThatAreOpenInGivenFormulasAreFitted) {
  const engine::FitData data =
      data_of({"a", "b"}, 100, [](auto x) { return 2.75 * std::exp(x(0)) + 0.5 * x(1); });
  const engine::GivenProgram given[] = {
      {"far", "pub fn f(a: f64) -> f64 { 1000.0 * a }"},
      {"open", "pub fn f(a: f64, b: f64) -> f64 { ?c(real) * exp(a) + ?d(real) * b }"},
      {"other", "pub fn f(z: f64) -> f64 { ?c(real) * z }"}};
  Silent watch;
  Result<Fit> made = fit({.data = data, .given = given}, {.generations = 1}, watch, {});
  ASSERT_FALSE(made.problem()) << made.problem().text();
  const Fit& found = made.value();
  EXPECT_EQ(found.given_without_numbers, 1u);
  ASSERT_EQ(found.given.size(), 2u);
  EXPECT_EQ(found.given[0].id, "open");
  EXPECT_LT(found.given[0].training.mean_loss, 1e-12);
  EXPECT_EQ(found.given[1].id, "far");
  EXPECT_TRUE(given_text(found, FitLoss::Squared).starts_with("errors of `--start`: `open` "))
      << given_text(found, FitLoss::Squared);
  EXPECT_GT(taken(found).held_out.r2, 1 - 1e-12) << taken(found).text;
}

// Small targets count as much as large ones.
TEST(Fit, MissesMayBeSharesOfTheTarget) {
  u32 row = 0;
  engine::FitData data = data_of({"a"}, 120, [&](auto x) {
    const f64 off = row++ % 2 == 0 ? 1.1 : 0.9;
    return std::exp(6 * x(0)) * off;
  });
  FitOptions options;
  options.loss = FitLoss::Relative;
  options.split = 0;
  const Fit found = fitted(data, options);
  ASSERT_TRUE(found.selected);
  const FormulaErrors& best = found.front.back().training;
  EXPECT_LT(best.mean_loss, 0.0101) << found.front.back().text;
  EXPECT_GT(best.mean_loss, 0.005) << found.front.back().text;
  EXPECT_FALSE(best.has_r2);
  // The losses are those of the rows: squares of shares.
  EXPECT_NEAR(shown_error(FitLoss::Relative, best.mean_loss), std::sqrt(best.mean_loss), 0);
  // By folds and by weights the mean is over the rows, too.
  options.folds = 3;
  data.weights.assign(120, 2.0);
  data.weights_column = "w";
  const Fit folds = fitted(data, options);
  EXPECT_LT(folds.front.back().training.mean_loss, 0.0101);
  EXPECT_EQ(folds.front.back().held_out.folds.size(), 3u);
  EXPECT_LT(taken(folds).held_out.mean_loss, 0.02);
  data.expected[7] = 0;
  Silent watch;
  EXPECT_EQ(
      fit({.data = data}, options, watch, {}).problem().text(),
      "data.csv:9: the target is 0 here, and `--loss relative` counts misses as shares of it; "
      "leave such rows out, or take another loss");
}

TEST(Fit, R2IsForLossesThatAreNearTheMiddle) {
  EXPECT_TRUE(means_r2(FitLoss::Squared, {}));
  EXPECT_TRUE(means_r2(FitLoss::Huber, 2.0));
  EXPECT_TRUE(means_r2(FitLoss::Quantile, {}));
  EXPECT_FALSE(means_r2(FitLoss::Quantile, 0.9));
  EXPECT_FALSE(means_r2(FitLoss::Relative, {}));
  EXPECT_FALSE(means_r2(FitLoss::Logistic, {}));
}

TEST(Fit, RowsOfAGroupStayTogether) {
  engine::FitData data = data_of({"a"}, 60, [](auto x) { return 2 * x(0) + 1; });
  for (u32 row = 0; row < 60; ++row) data.groups.push_back(row / 6);
  data.group_count = 10;
  data.group_column = "who";
  const auto groups_of = [&](const std::vector<u32>& rows) {
    std::set<f64> groups;
    for (const u32 row : rows) groups.insert(data.groups[row]);
    return groups;
  };
  FitOptions options;
  options.generations = 1;
  const Fit found = fitted(data, options);
  EXPECT_EQ(found.held_out_rows, 12u);
  EXPECT_EQ(groups_of(found.held_out).size(), 2u);
  EXPECT_EQ(groups_of(found.training).size(), 8u);
  options.folds = 11;
  Silent watch;
  EXPECT_EQ(fit({.data = data}, options, watch, {}).problem().text(),
            "data.csv: `--group` `who` makes 10 groups, and 11 folds are wanted; each fold leaves "
            "out a group at least: `--folds` takes no more");
  options.folds = 10;
  EXPECT_EQ(taken(fitted(data, options)).held_out.losses.size(), 60u);
}

TEST(DrawRows, GroupsAreDrawnWhole) {
  const std::vector<f64> groups = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4};
  for (u64 seed = 0; seed < 20; ++seed) {
    std::vector<u32> rows = all_rows(12), all = rows;
    const std::vector<u32> drawn = draw_groups(rows, 3, seed, groups, 1);
    EXPECT_TRUE(drawn.size() == 3 || drawn.size() == 8) << drawn.size();
    EXPECT_EQ(drawn.size() + rows.size(), 12u);
    for (const u32 row : drawn)
      for (const u32 other : rows) EXPECT_NE(groups[row], groups[other]);
    EXPECT_EQ(draw_groups(all, 3, seed, groups, 1), drawn);
  }
  std::vector<u32> rows = all_rows(12);
  // Each of the other folds has a group left.
  const std::vector<u32> drawn = draw_groups(rows, 12, 1, groups, 4);
  EXPECT_EQ(rows.size() + drawn.size(), 12u);
  EXPECT_EQ(std::set<f64>({groups[drawn[0]], groups[drawn.back()]}).size(), 1u);
}

TEST(Fit, FewRowsAreJudgedByFolds) {
  const auto folds = [](u32 rows, u32 groups) {
    engine::FitData data = data_of({"a"}, rows, [](auto x) { return x(0); });
    data.group_count = groups;
    if (groups != 0) data.groups.assign(rows, 0);
    return usual_folds(data);
  };
  EXPECT_EQ(folds(9, 0), 0u);
  EXPECT_EQ(folds(10, 0), 5u);
  EXPECT_EQ(folds(99, 0), 5u);
  EXPECT_EQ(folds(100, 0), 0u);
  EXPECT_EQ(folds(50, 3), 3u);
}

// What a search by time has found is found again, whatever the numbers of its searches are.
TEST(Fit, EachSearchMayHaveItsOwnGenerations) {
  const engine::FitData data = data_of(
      {"a", "b"}, 60, [](auto x) { return std::sin(7 * x(0)) * std::exp(x(1)) + x(0) * x(1); });
  FitOptions options;
  options.folds = 2;
  options.generations_of_searches = {1, 3, 2};
  Silent watch;
  const Result<Fit> made = fit({.data = data}, options, watch, {});
  ASSERT_FALSE(made.problem()) << made.problem().text();
  std::vector<u64> generations;
  for (const FittedSearch& one : made.value().searches) generations.push_back(one.generations);
  EXPECT_EQ(generations, options.generations_of_searches);
  options.folds = 3;
  EXPECT_EQ(fit({.data = data}, options, watch, {}).problem().text(),
            "`--generations` has 3 numbers, and there are 4 searches; give one number for all, or "
            "one for each, those of folds first");
}

TEST(Fit, JsonSaysWhatItWentBy) {
  FitOptions options;
  options.folds = 2;
  options.generations = 1;
  const engine::FitData data = data_of({"a"}, 40, [](auto x) { return 2 * x(0); });
  engine::FitFields fields;
  fields.categories = {"kind"};
  const std::string json = fit_json(fitted(data, options), options, fields, nullptr, "1.2.3");
  for (const std::string_view part :
       {"\"komuz\": \"1.2.3\"", "\"loss\": \"squared\"", "\"folds\": 2", "\"split\": null",
        "\"least\": 0.05", "\"most\": 2.0", "\"folds\": [", "\"select\": \"smallest\"", "\"kind\"",
        "\"formula\": \"2.0 * a\""})
    EXPECT_NE(json.find(part), std::string::npos) << part << json;
}

TEST(AddedNumbers, AreThoseOfTheOutermostSum) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(added_numbers("m * g * h + 12.0"), Texts{"12.0"});
  EXPECT_EQ(added_numbers("12.0 - m * g"), Texts{"12.0"});
  EXPECT_EQ(added_numbers("(m - 2.5) * 3.0 / 7.0 + 1e-05"), (Texts{"1e-05", "2.5"}));
  EXPECT_EQ(added_numbers("(m - 2.5) * v"), Texts{});
  EXPECT_EQ(added_numbers("3.0 / (m + 2.5)"), Texts{});
  EXPECT_EQ(added_numbers("sqrt(m + 1.0) * 2.0"), Texts{});
  EXPECT_EQ(added_numbers("2.0"), Texts{});
}

TEST(DescribedFormula, SaysHowItMissesAndHowWellNumbersAreKnown) {
  u32 row = 0;
  const engine::FitData data =
      data_of({"a"}, 100, [&](auto x) { return 2 * x(0) + 1 + (row++ % 2 == 0 ? 0.1 : -0.1); });
  std::vector<u32> rows(100);
  for (u32 k = 0; k < 100; ++k) rows[k] = k;
  Result<DescribedFormula> made = describe_formula("pub fn y(a: f64) -> f64 { 2.0 * a + 1.0 }",
                                                   engine::cases_of(data, rows), data, {}, {});
  ASSERT_FALSE(made.problem()) << made.problem().text();
  const DescribedFormula& described = made.value();
  ASSERT_TRUE(described.residuals);
  EXPECT_NEAR((*described.residuals)[0], -0.1, 1e-12);
  EXPECT_NEAR((*described.residuals)[4], 0.1, 1e-12);
  ASSERT_EQ(described.numbers.size(), 2u);
  // By hand: s / (deviation · √n) · t, with s = 0.1010 and a deviation of 0.5773.
  ASSERT_TRUE(described.numbers[0].distance);
  EXPECT_NEAR(*described.numbers[0].distance, 0.0347, 0.0005);
  EXPECT_FALSE(described.has_gaps);
  EXPECT_EQ(ranges_text(ranges_of(data), "2.0 * a"), "a from 0.02 to 2");
  // Two numbers of which one makes up for the other, and a hole within the range.
  made = describe_formula("pub fn y(a: f64) -> f64 { 2.0 * 3.0 * log(a - 1.0) }",
                          engine::cases_of(data, rows), data, {}, {});
  ASSERT_FALSE(made.problem());
  EXPECT_TRUE(made.value().has_gaps);
}

// By Student's t with one degree of freedom, 12.706: the slope of these rows is 2.05 ± 12.706 · 0.2041 / √2.
TEST(DescribedFormula, IntervalsOfFewRowsAreWide) {
  engine::FitData data = data_of({"a"}, 3, [](auto) { return 0.0; });
  data.columns = {{1, 2, 3}};
  data.expected = {2.1, 3.9, 6.2};
  const std::vector<u32> rows = {0, 1, 2};
  const Result<DescribedFormula> made =
      describe_formula("pub fn y(a: f64) -> f64 { 2.05 * a - 0.033333333333333 }",
                       engine::cases_of(data, rows), data, {}, {});
  ASSERT_FALSE(made.problem()) << made.problem().text();
  ASSERT_EQ(made.value().numbers.size(), 2u);
  ASSERT_TRUE(made.value().numbers[0].distance);
  EXPECT_NEAR(*made.value().numbers[0].distance, 1.834, 0.001);
}

TEST(DescribedFormula, SaysWhereItHasPoles) {
  const engine::FitData data = data_of({"a", "b"}, 100, [](auto x) { return x(0); });
  std::vector<u32> rows(100);
  for (u32 k = 0; k < 100; ++k) rows[k] = k;
  const auto poles = [&](const std::string& formula) {
    Result<DescribedFormula> made =
        describe_formula("pub fn y(a: f64, b: f64) -> f64 { " + formula + " }",
                         engine::cases_of(data, rows), data, {}, {});
    EXPECT_FALSE(made.problem()) << made.problem().text();
    return made.problem() ? std::vector<std::string>() : made.value().poles;
  };
  const std::vector<engine::FitInput>& inputs = data.inputs;
  ASSERT_EQ(inputs.size(), 2u);
  using Texts = std::vector<std::string>;
  EXPECT_EQ(poles("2.7 / (1.01 - a * 1.0) + b"), Texts{"1.01 - a * 1.0"});
  EXPECT_EQ(poles("div0(b, sin(a * 9.0) + 0.1) - 3.0 / (a + 1.0)"), Texts{"sin(a * 9.0) + 0.1"});
  EXPECT_EQ(poles("1.0 / (a - 1.0) / (b + 5.0) * a"), Texts{"a - 1.0"});
  EXPECT_EQ(poles("1.0 / (a * a + 1.0) + b / a"), Texts{});
  EXPECT_EQ(poles("a + b / 4.0"), Texts{});
}

}  // namespace
}  // namespace komuz::services::test
