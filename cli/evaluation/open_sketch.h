// SPDX-License-Identifier: Apache-2.0
// Finds out whether the candidates of a run are the variants of a sketch, and which of them.
#pragma once
#include <optional>
#include <stop_token>

#include "cli/terminal/terminal.h"
#include "engine/cases/cases_table.h"
#include "engine/results/results.h"
#include "services/evaluation/evaluated_sketch.h"
#include "services/options/evaluation_request.h"

namespace komuz::cli {

// A single program with something to decide is a sketch. Any other program, even with errors, is a candidate, unless
// a sketch is asked for.
[[nodiscard]] Exit open_sketch(services::EvaluationRequest& request,
                               const engine::CasesTable& cases, const std::stop_token& stop,
                               engine::ResultSink& rows, Terminal& terminal,
                               std::optional<services::EvaluatedSketch>& out);

}  // namespace komuz::cli
