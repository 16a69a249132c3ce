// SPDX-License-Identifier: Apache-2.0
// Tunes the constants of a variant that are any number, by the errors of its cases: the method of Levenberg and Marquardt (Marquardt,
// 1963), in rounds of one generation each:
//
//   Slopes    a trial for each constant, which changes a little: how does the error of each case follow it?
//   Steps     trials of the way to the minimum that the slopes promise, damped by different factors; the best one is taken, and
//             slopes are asked for again where that paid
//   Rounding  trials of all constants with fewer and fewer digits: the shortest that cost nothing are taken
//
// Losses of cases have no signs, and need none: an error and its slope are off by the same sign, and only their products count. For
// a correlation a case's loss is that of the line that fits the trial best, so slopes know that the line follows.
//
// Where losses are distances, each counts with the weight that makes a sum of squares of their sum (as in constant_tuner.h). For
// losses that are neither, loss_model.h says what stands for the errors.
#pragma once
#include "engine/search/loss_model.h"
#include "engine/search/tuner.h"

namespace komuz::engine {

class NumberFits;

class RealTuner final : public Tuner {
 public:
  // More constants are not tuned together: a round of slopes has to fit into a part of a generation.
  static constexpr size_t kMostConstants = 24;

  // `has_distances`: the losses of cases are distances, and not squares.
  // `fits`: null, or what fits the numbers of a variant at once: then a round is left for rounding.
  RealTuner(const VariantPlan& plan, Decisions decisions, Found found, bool has_distances,
            NumberFits* fits = nullptr);

  // Before anything is proposed. `model`: known, and outlives it.
  void use_losses(const LossModel& model) { residuals_.emplace(model); }

  void propose(size_t most, std::vector<Decisions>& out) override;
  std::optional<size_t> learn(std::span<const Found> found) override;
  [[nodiscard]] const Fitness& fitness() const override { return here_.fitness; }
  [[nodiscard]] bool is_quick() const override { return !fitted_.empty(); }
  [[nodiscard]] bool is_done() const override { return round_ == Round::Done; }
  // True if the variant has as many numbers as are tuned together, or fewer.
  [[nodiscard]] bool has_numbers() const {
    return !places_.empty() && places_.size() <= most_constants_;
  }

 private:
  enum class Round : u8 { Slopes, Steps, Rounding, Done };

  [[nodiscard]] f64 number(const Decisions& decisions, size_t constant) const;
  [[nodiscard]] Decisions with_slope(size_t constant) const;
  void list_steps();
  void list_roundings();
  void learn_slopes(std::span<const Found> found);
  [[nodiscard]] std::optional<size_t> learn_steps(std::span<const Found> found);
  [[nodiscard]] std::optional<size_t> learn_roundings(std::span<const Found> found);
  void take_errors();
  // The error of each case, whose squares add up to what is to become small.
  [[nodiscard]] f64 error_of(f64 loss, size_t one) const;
  void move_to(const Decisions& decisions, const Found& found);

  Decisions decisions_;
  Found here_;
  bool has_distances_;
  Decisions fitted_;  // as they are to be rounded; empty: as they are
  std::optional<CaseResiduals> residuals_;
  std::vector<size_t> places_;  // of the constants, in the decisions
  size_t most_constants_ = kMostConstants;
  Round round_ = Round::Slopes;
  u32 rounds_ = 0;
  f64 damping_ = 1e-3;
  bool has_failed_ = false;    // no step was better, with these slopes
  f64 least_ = 0;              // a distance of this size, or less, has the weight of this one
  std::vector<f64> errors_;    // at the present point
  std::vector<f64> products_;  // of the slopes of each two constants, over all cases
  std::vector<f64> gradient_;  // of slopes and errors
  std::vector<Decisions> trials_;
};

}  // namespace komuz::engine
