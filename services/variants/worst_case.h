// SPDX-License-Identifier: Apache-2.0
// The case that a ranked variant does worst on.
#pragma once
#include <optional>
#include <stop_token>

#include "engine/candidates/evaluate_options.h"
#include "services/variants/rank_sketch.h"

namespace komuz::services {

// `options`: those that the results came of. None: every case is as expected, nothing is expected, or it was stopped.
[[nodiscard]] std::optional<WorstCase> find_worst_case(const engine::EvaluateOptions& options,
                                                       const engine::CasesTable& cases,
                                                       const engine::Results& results, u32 row,
                                                       const std::stop_token& stop);

}  // namespace komuz::services
