// SPDX-License-Identifier: Apache-2.0
// Remarks on a fit, for whoever asked for it, and what more is said of the formula that it takes.
#pragma once
#include <optional>
#include <stop_token>
#include <vector>

#include "services/fit/described_formula.h"
#include "services/fit/fit.h"
#include "services/fit/fit_request.h"
#include "services/fit/fit_tables.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

// What is to be known of the table before the fit.
[[nodiscard]] std::vector<Note> notes_before(const FitRequest& request, const FitTables& tables);
// What is to be known of the fit. `given`: programs of FitInputs::given.
[[nodiscard]] std::vector<Note> notes_behind(const Fit& fit, FitLoss loss, size_t given);

// Nothing: no formula is taken. `held_out`: FitInputs::held_out.
Result<std::optional<DescribedFormula>> describe_selected(const Fit& fit, const FitRequest& request,
                                                          const engine::FitData* held_out,
                                                          const std::stop_token& stop);

}  // namespace komuz::services
