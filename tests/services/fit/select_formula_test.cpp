// SPDX-License-Identifier: Apache-2.0
#include "services/fit/select_formula.h"

#include <gtest/gtest.h>

namespace komuz::services::test {
namespace {

FormulaErrors errors(std::vector<f64> losses) {
  FormulaErrors out;
  out.is_known = true;
  for (const f64 loss : losses) out.mean_loss += loss / static_cast<f64>(losses.size());
  out.has_unexplained = out.has_r2 = true;
  out.r2 = 1 - out.mean_loss;
  out.unexplained = out.mean_loss;
  out.losses = std::move(losses);
  return out;
}
FitFormula formula(u32 size, f64 training, std::vector<f64> held_out) {
  FitFormula out;
  out.size = size;
  out.text = std::to_string(size);
  out.training = errors({training});
  if (!held_out.empty()) out.held_out = errors(std::move(held_out));
  return out;
}
size_t selected(const std::vector<FitFormula>& front, const Selection& selection = {}) {
  return select_formula(front, selection)->formula;
}

TEST(KeepFront, LargerOnesHaveToBeBetter) {
  std::vector<FitFormula> formulas = {formula(5, 0.2, {}), formula(1, 0.9, {}),
                                      formula(3, 0.95, {}), formula(7, 0.2, {}),
                                      formula(5, 0.1, {})};
  formulas.push_back({});  // of no known error
  keep_front(formulas);
  ASSERT_EQ(formulas.size(), 2u);
  EXPECT_EQ(formulas[0].size, 1u);
  EXPECT_EQ(formulas[1].training.mean_loss, 0.1);
}

TEST(KeepFront, NearCopiesAreShownOnce) {
  // The second is better by rounding alone; behind one that leaves nothing but rounding there is nothing to gain.
  std::vector<FitFormula> formulas = {formula(3, 0.5, {}), formula(5, 0.5 * (1 - 1e-12), {}),
                                      formula(7, 0.2, {}), formula(9, 1e-28, {}),
                                      formula(11, 1e-30, {})};
  keep_front(formulas);
  ASSERT_EQ(formulas.size(), 3u);
  EXPECT_EQ(formulas[1].size, 7u);
  EXPECT_EQ(formulas[2].size, 9u);
}

TEST(SelectFormula, TheSmallestWithinTheErrorOfTheBest) {
  // The second is off by a little more on half of the rows, and by less on the others.
  const std::vector<FitFormula> front = {formula(1, 0.9, {0.8, 0.9, 0.7, 0.9}),
                                         formula(5, 0.2, {0.21, 0.19, 0.22, 0.2}),
                                         formula(9, 0.1, {0.2, 0.2, 0.2, 0.21})};
  EXPECT_EQ(selected(front), 1u);
  // Clearly off on each row: it is not within.
  const std::vector<FitFormula> clear = {formula(1, 0.9, {0.8, 0.9, 0.7, 0.9}),
                                         formula(5, 0.2, {0.30, 0.31, 0.29, 0.3}),
                                         formula(9, 0.1, {0.2, 0.2, 0.2, 0.2})};
  EXPECT_EQ(selected(clear), 2u);
  // One that is better on the search's rows alone is not taken.
  const std::vector<FitFormula> fitted = {formula(5, 0.2, {0.2, 0.2, 0.3, 0.2}),
                                          formula(9, 0.1, {0.9, 0.8, 0.9, 0.8})};
  EXPECT_EQ(selected(fitted), 0u);
}

// Of nearly the same formulas each row says the same, however little it is.
TEST(SelectFormula, AHundredthOfTheLossDoesNotMatter) {
  const auto front = [](f64 share) {
    return std::vector<FitFormula>{formula(5, 0.2, {0.2 * share, 0.3 * share, 0.1 * share}),
                                   formula(9, 0.1, {0.2, 0.3, 0.1})};
  };
  EXPECT_EQ(selected(front(1.009)), 0u);
  EXPECT_EQ(selected(front(1.2)), 1u);
}

// The second is so erratic that its error may be that of the best; but the first misses less, and is smaller.
TEST(SelectFormula, NoneThatASmallerOneBeats) {
  const std::vector<FitFormula> front = {formula(3, 0.9, {0.1, 0.1, 0.1, 0.101}),
                                         formula(5, 0.2, {0.02, 0.3, 0.02, 0.3}),
                                         formula(9, 0.1, {0.09, 0.09, 0.09, 0.09})};
  EXPECT_EQ(selected(front), 2u);
}

TEST(SelectFormula, WhatLeavesOnlyRoundingIsAsGoodAsAnyOther) {
  std::vector<FitFormula> front = {formula(3, 1e-30, {1e-30, 1e-30}),
                                   formula(9, 1e-33, {1e-33, 1e-33})};
  for (FitFormula& one : front) one.held_out.r2 = 1;
  EXPECT_EQ(selected(front), 0u);
}

// A last small step down does not make a knee.
TEST(SelectFormula, TheKneeIsOfTheWholeCurve) {
  std::vector<FitFormula> front;
  const f64 losses[] = {1, 0.5, 0.1, 0.09, 0.085, 0.08, 0.06};
  const u32 sizes[] = {1, 3, 6, 20, 40, 51, 52};
  for (size_t k = 0; k < 7; ++k)
    front.push_back(formula(sizes[k], losses[k], {losses[k], losses[k]}));
  EXPECT_EQ(selected(front, {SelectBy::Knee}), 2u);
}

TEST(SelectFormula, OtherWays) {
  const std::vector<FitFormula> front = {formula(1, 0.9, {0.9, 0.9}), formula(3, 0.1, {0.1, 0.1}),
                                         formula(9, 0.08, {0.08, 0.08})};
  EXPECT_EQ(selected(front, {SelectBy::Best}), 2u);
  EXPECT_EQ(selected(front, {SelectBy::Knee}), 1u);
  EXPECT_EQ(selected(front, {SelectBy::Size, 8}), 1u);
  EXPECT_EQ(selected(front, {SelectBy::Size, 1}), 0u);
  EXPECT_FALSE(select_formula({}, {}));
}

TEST(SelectFormula, WithoutRowsThatAreHeldOutSizeHasToPay) {
  const auto bare = [](u32 size, f64 loss) {
    FitFormula out = formula(size, loss, {});
    out.training = errors(std::vector<f64>(20, loss));
    return out;
  };
  EXPECT_EQ(selected({bare(1, 0.9), bare(3, 0.1), bare(9, 0.08)}), 1u);
  // Twenty rows, log(20) = 3: six more have to make the loss 2.5 times smaller.
  EXPECT_EQ(selected({bare(1, 0.9), bare(3, 0.1), bare(9, 0.035)}), 2u);
  EXPECT_EQ(selected({bare(1, 0.9), bare(3, 0.1), bare(60, 1e-3)}), 1u);
}

TEST(SelectFormula, APoleThatNoRowShowsIsNotTaken) {
  const auto bare = [](u32 size, f64 loss, bool has_poles) {
    FitFormula out = formula(size, loss, {});
    out.training = errors(std::vector<f64>(20, loss));
    out.training.has_unexplained = true;
    out.has_poles = has_poles;
    return out;
  };
  EXPECT_EQ(selected({bare(1, 0.9, false), bare(3, 0.005, false), bare(9, 1e-4, true)}), 1u);
  // Nothing else explains the rows.
  EXPECT_EQ(selected({bare(1, 0.9, false), bare(3, 0.05, false), bare(9, 1e-4, true)}), 2u);
}

TEST(SelectFormula, IsReadAsItIsWritten) {
  for (const std::string_view text : {"smallest", "knee", "best", "size 7"})
    EXPECT_EQ(selection_text(read_selection(text).value()), text);
  EXPECT_EQ(read_selection("7").value().size, 7u);
  EXPECT_EQ(read_selection("size=12").value().size, 12u);
  for (const std::string_view text :
       {"", "size", "size 0", "size x", "largest", "-3", "99999999999"})
    EXPECT_TRUE(read_selection(text).problem()) << text;
}

}  // namespace
}  // namespace komuz::services::test
