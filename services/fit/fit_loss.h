// SPDX-License-Identifier: Apache-2.0
// What a fit makes as small as possible, and by which score of the engine.
#pragma once
#include <array>
#include <iterator>
#include <optional>
#include <string_view>

#include "engine/results/results.h"

namespace komuz::services {

enum class FitLoss : u8 { Squared, Relative, Absolute, Huber, Quantile, LogCosh, Logistic, Hinge };

struct FitLossRow {
  std::string_view name;
  engine::ScoreKind score;
  // The formula's value is above 0 for one of two classes.
  bool is_of_classes;
  // Misses are shares of the target: a row weighs 1 / target².
  bool is_relative = false;
};
inline constexpr FitLossRow kFitLosses[] = {
    {"squared", engine::ScoreKind::SquaredError, false},
    {"relative", engine::ScoreKind::SquaredError, false, true},
    {"absolute", engine::ScoreKind::AbsoluteError, false},
    {"huber", engine::ScoreKind::Huber, false},
    {"quantile", engine::ScoreKind::Quantile, false},
    {"log-cosh", engine::ScoreKind::LogCosh, false},
    {"logistic", engine::ScoreKind::Logistic, true},
    {"hinge", engine::ScoreKind::Hinge, true},
};
[[nodiscard]] constexpr const FitLossRow& row_of(FitLoss loss) {
  return kFitLosses[static_cast<size_t>(loss)];
}

// The names that users type.
inline constexpr std::array<std::string_view, std::size(kFitLosses)> kFitLossNames = [] {
  std::array<std::string_view, std::size(kFitLosses)> names;
  for (size_t k = 0; k < names.size(); ++k) names[k] = kFitLosses[k].name;
  return names;
}();

// Searches go by this score: squares by the correlation, which fits a factor and a summand by itself.
[[nodiscard]] constexpr bool adds_squares(FitLoss loss) {
  return row_of(loss).score == engine::ScoreKind::SquaredError;
}
[[nodiscard]] constexpr engine::ScoreKind search_score(FitLoss loss) {
  return adds_squares(loss) ? engine::ScoreKind::Correlation : row_of(loss).score;
}

// True if R² says how good a formula is that makes this loss small: it is near the middle of what is expected, in the
// unit of the target. `measure`: the delta or the quantile of the loss.
[[nodiscard]] constexpr bool means_r2(FitLoss loss, std::optional<f64> measure) {
  switch (loss) {
    case FitLoss::Squared:
    case FitLoss::Absolute:
    case FitLoss::Huber:
    case FitLoss::LogCosh: return true;
    case FitLoss::Quantile: return measure.value_or(0.5) == 0.5;
    case FitLoss::Relative:
    case FitLoss::Logistic:
    case FitLoss::Hinge: return false;
  }
  return false;
}

}  // namespace komuz::services
