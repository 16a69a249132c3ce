// SPDX-License-Identifier: Apache-2.0
// What a loss says to least squares. Near some value a loss is about
//
//   ½ weight · (argument − there + slope / weight)² + a constant
//
// where the argument is actual − expected, or the margin of two classes (score_cells.h). The slope is the loss's own. The weight
// is its second derivative where that leads to the minimum (logistic: Newton's method), and else slope / argument, by which no
// step overshoots (Huber's and its like: reweighted least squares; Weiszfeld, 1937).
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "engine/cases/suite.h"
#include "engine/scores/score_kinds.h"

namespace komuz::engine {

struct LossSlope {
  f64 slope = 0, weight = 0;
  // What stands for the error: weight · residual is the slope.
  [[nodiscard]] f64 residual() const { return weight > 0 ? slope / weight : 0; }
};
// `measure`: as error_of() takes it. `least`: nearer to 0 a distance has the weight of this one. Not of errors that are
// shares: these are distances by themselves.
[[nodiscard]] LossSlope slope_of_loss(ErrorKind kind, f64 measure, f64 argument, f64 least);
// The argument of a loss without its sign; of a logistic loss the margin.
[[nodiscard]] f64 argument_of_loss(ErrorKind kind, f64 measure, f64 loss);

// The losses of a score that are neither squares nor distances.
struct LossModel {
  ErrorKind kind = ErrorKind::Huber;
  bool is_known = false;  // the members below are
  f64 measure = 1;
  std::vector<f64> weights;  // of cases; empty: all are 1

  [[nodiscard]] static bool is_needed(ScoreKind kind);
  // Takes what the suite says. Results of several cells have losses that are sums: these are taken for squares.
  void learn(const Suite& suite);
};

// Errors of cases whose squares say how their losses change, near the losses that it began with.
class CaseResiduals {
 public:
  // `model`: known, and outlives it.
  explicit CaseResiduals(const LossModel& model) : model_(&model) {}

  void begin(std::span<const f64> losses);
  [[nodiscard]] f64 error(f64 loss, size_t one) const;

 private:
  [[nodiscard]] f64 argument(f64 loss, size_t one) const;

  const LossModel* model_;
  struct Place {
    f64 root = 0;   // of the weight
    f64 shift = 0;  // from the argument to the residual
  };
  std::vector<Place> places_;
};

}  // namespace komuz::engine
