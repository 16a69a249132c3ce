// SPDX-License-Identifier: Apache-2.0
// The numbers of formulas, fitted to all rows. A search has fitted them to some rows, and keeps seven digits: they are
// fitted again to all of them, with all digits (engine/search/refit.h). Then they can lose the digits that the rows do
// not determine: those that change the loss by less than a tenth of a row's share.
//
// Formulas that were given keep their numbers. So do those that would no longer be as monotone as is wanted.
#pragma once
#include <stop_token>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "services/fit/formula.h"
#include "services/fit/judge.h"
#include "services/fit/monotone.h"

namespace komuz::services {

// What rounding alone can make of the loss of a formula that is exact, as a share of the variance of what rows expect.
inline constexpr f64 kRoundingShare = 1e-24;

// Training errors are those on these cases then.
Problem fit_numbers(const engine::CasesTable& cases, const JudgeOptions& options,
                    const MonotoneCheck& monotone, std::vector<FitFormula>& formulas,
                    const std::stop_token& stop);
// Of formulas that fit_numbers() has fitted to these cases.
Problem drop_digits(const engine::CasesTable& cases, const JudgeOptions& options,
                    const MonotoneCheck& monotone, std::vector<FitFormula>& formulas,
                    const std::stop_token& stop);

}  // namespace komuz::services
