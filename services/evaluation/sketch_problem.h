// SPDX-License-Identifier: Apache-2.0
// Why the variants of a sketch cannot be the candidates of an evaluation, or of a search.
#pragma once
#include <string_view>

#include "base/problem.h"
#include "engine/sketch/sketch_program.h"
#include "services/options/evaluation_request.h"

namespace komuz::services {

inline constexpr std::string_view kNoDecisions =
    "a sketch has holes, such as `?c(0.0..1.0, steps: 8)`";

// `name`: of the sketch, as messages have it. The first three are asked in this order; the last one once a search has been settled.
[[nodiscard]] Problem find_sketch_problem(const engine::SketchProgram& sketch,
                                          std::string_view name, const EvaluationRequest& request);
// There are too many variants to evaluate all.
[[nodiscard]] Problem find_size_problem(const engine::SketchProgram& sketch, std::string_view name,
                                        const EvaluationRequest& request);

// Asks whoever is to say how often the ways of decisions are drawn (EvaluationRequest::proposer). A problem of the file of the network
// has to do with no input.
[[nodiscard]] Problem take_proposals(EvaluationRequest& request,
                                     const engine::SketchProgram& sketch,
                                     const engine::CasesTable& cases, const std::stop_token& stop);

}  // namespace komuz::services
