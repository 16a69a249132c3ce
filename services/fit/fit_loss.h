// SPDX-License-Identifier: Apache-2.0
// What a fit makes as small as possible, and by which score of the engine.
#pragma once
#include <array>
#include <iterator>
#include <string_view>

#include "engine/results/results.h"

namespace komuz::services {

enum class FitLoss : u8 { Squared, Absolute, Huber, Quantile, LogCosh, Logistic, Hinge };

struct FitLossRow {
  std::string_view name;
  engine::ScoreKind score;
  // The formula's value is above 0 for one of two classes.
  bool is_of_classes;
};
inline constexpr FitLossRow kFitLosses[] = {
    {"squared", engine::ScoreKind::SquaredError, false},
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
[[nodiscard]] constexpr engine::ScoreKind search_score(FitLoss loss) {
  return loss == FitLoss::Squared ? engine::ScoreKind::Correlation : row_of(loss).score;
}

}  // namespace komuz::services
