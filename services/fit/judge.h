// SPDX-License-Identifier: Apache-2.0
// Runs formulas on rows, and says how far each is off.
#pragma once
#include <optional>
#include <stop_token>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "services/fit/fit_loss.h"
#include "services/fit/formula.h"

namespace komuz::services {

struct JudgeOptions {
  FitLoss loss = FitLoss::Squared;
  std::optional<f64> measure = {};  // the delta or the quantile of the loss
  u32 threads = 0;
};

// The variance of what rows expect, by their weights, as a loss of squares; 0 if all expect the same.
[[nodiscard]] f64 variance_of(const engine::CasesTable& cases, FitLoss loss);
// The weights of a relative loss are those of the rows, divided by the squares of the targets. This is the sum of the
// rows' own, by which a loss is a mean.
[[nodiscard]] f64 weight_of_rows(const engine::CasesTable& cases, FitLoss loss);

// Which errors of a formula are set.
enum class JudgedRows : u8 { Training, HeldOut };
Problem judge(const engine::CasesTable& cases, const JudgeOptions& options, JudgedRows rows,
              std::vector<FitFormula>& formulas, const std::stop_token& stop);

}  // namespace komuz::services
