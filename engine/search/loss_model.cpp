// SPDX-License-Identifier: Apache-2.0
// Exponentials and logarithms are those of the language, which have the same bits on every machine.
#include "engine/search/loss_model.h"

#include <algorithm>
#include <cmath>

#include "engine/scores/losses.h"

namespace komuz::engine {
namespace {

constexpr f64 kLn2 = 0x1.62e42fefa39efp-1;

// e^x − 1 without cancellation, for x from 0 to ½ ln 2.
f64 small_exp_less_one(f64 x) {
  const Pair<f64> less_one = exp_less_one(Pair<f64>{x, 0});
  return less_one.high + less_one.low;
}

// Of x >= 0.
f64 hyperbolic_tangent(f64 x) {
  constexpr f64 kSmall = 0.15;
  if (x > kSmall) {
    const f64 part = exp_lanes(-2 * x);
    return (1 - part) / (1 + part);
  }
  const f64 grown = small_exp_less_one(2 * x);
  return grown / (grown + 2);
}

// The x >= 0 of ln cosh x.
f64 argument_of_log_cosh(f64 loss) {
  constexpr f64 kSmall = 0.2, kLarge = 20;
  if (loss > kLarge) return loss + kLn2;
  if (loss <= kSmall) {
    const f64 t = small_exp_less_one(loss);
    return log_of_one_and(t + std::sqrt(t * (2 + t)));
  }
  const f64 grown = exp_lanes(loss);
  return log_lanes<LogBase::E>(grown + std::sqrt(grown * grown - 1));
}

// The m of ln(1 + e^−m).
f64 margin_of_logistic(f64 loss) {
  constexpr f64 kSmall = 0.3, kMost = 740;
  if (!(loss > 0)) return kMost;
  if (loss <= kSmall) return std::min(-log_lanes<LogBase::E>(small_exp_less_one(loss)), kMost);
  return -loss - log_lanes<LogBase::E>(1 - exp_lanes(-loss));
}

}  // namespace

LossSlope slope_of_loss(ErrorKind kind, f64 measure, f64 argument, f64 least) {
  const f64 size = std::fabs(argument), sign = argument < 0 ? -1 : argument > 0 ? 1 : 0;
  switch (kind) {
    case ErrorKind::Squared:
    case ErrorKind::ScaledSquared: return {2 * argument, 2};
    case ErrorKind::Absolute:
    case ErrorKind::Relative:
    case ErrorKind::Symmetric: return {sign, 1 / std::max(size, least)};
    case ErrorKind::Huber:
      return size <= measure ? LossSlope{argument, 1} : LossSlope{sign * measure, measure / size};
    case ErrorKind::LogCosh: {
      const f64 slope = measure * hyperbolic_tangent(size / measure);
      return {sign * slope, size > 0 ? slope / size : 1};
    }
    case ErrorKind::Quantile: {
      const f64 slope = sign < 0 ? -measure : sign > 0 ? 1 - measure : 0;
      return {slope, (sign < 0 ? measure : 1 - measure) / std::max(size, least)};
    }
    case ErrorKind::Logistic: {
      // A margin that is far on either side would be moved as far by Newton's method.
      constexpr f64 kLeastWeight = 1e-6;
      const f64 part = exp_lanes(-size), whole = 1 + part;
      const f64 wrong = sign < 0 ? 1 / whole : part / whole;  // the share of the other class
      return {-wrong, std::max(wrong * (1 - wrong), kLeastWeight)};
    }
    case ErrorKind::Hinge:
      return argument < 1 ? LossSlope{-1, 1 / std::max(1 - argument, least)} : LossSlope{};
  }
  return {};
}

f64 argument_of_loss(ErrorKind kind, f64 measure, f64 loss) {
  switch (kind) {
    case ErrorKind::Squared:
    case ErrorKind::ScaledSquared: return std::sqrt(loss);
    case ErrorKind::Huber:
      return 2 * loss <= measure * measure ? std::sqrt(2 * loss) : loss / measure + measure * 0.5;
    case ErrorKind::LogCosh: return measure * argument_of_log_cosh(loss / measure / measure);
    case ErrorKind::Logistic: return margin_of_logistic(loss);
    // Of which side a case is the loss does not say: distances stand for themselves.
    case ErrorKind::Absolute:
    case ErrorKind::Relative:
    case ErrorKind::Symmetric:
    case ErrorKind::Quantile:
    case ErrorKind::Hinge: return loss;
  }
  return loss;
}

bool LossModel::is_needed(ScoreKind kind) {
  const ScoreRow row = score_row(kind);
  return row.sums == ScoreSum::Errors &&
         (row.error == ErrorKind::Huber || row.error == ErrorKind::LogCosh ||
          row.error == ErrorKind::Logistic);
}

void LossModel::learn(const Suite& suite) {
  if (suite.result_types.size() != 1 || !suite.scale) return;
  measure = suite.scale->measures.empty() ? 1 : suite.scale->measures.front();
  weights = suite.weights;
  is_known = true;
}

f64 CaseResiduals::argument(f64 loss, size_t one) const {
  const f64 weight = model_->weights.empty() ? 1 : model_->weights[one];
  return weight == 0 ? 0 : argument_of_loss(model_->kind, model_->measure, loss / weight);
}

void CaseResiduals::begin(std::span<const f64> losses) {
  places_.resize(losses.size());
  for (size_t one = 0; one < losses.size(); ++one) {
    const f64 weight = model_->weights.empty() ? 1 : model_->weights[one];
    const f64 here = argument(losses[one], one);
    const LossSlope slope = slope_of_loss(model_->kind, model_->measure, here, 0);
    places_[one] = {std::sqrt(weight * slope.weight), slope.residual() - here};
  }
}

f64 CaseResiduals::error(f64 loss, size_t one) const {
  const Place& place = places_[one];
  const f64 error = place.root * (argument(loss, one) + place.shift);
  return std::isfinite(error) ? error : 0;
}

}  // namespace komuz::engine
