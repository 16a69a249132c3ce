// SPDX-License-Identifier: Apache-2.0
// The common part of `komuz eval` and `komuz search`: candidates and cases in, a ranking out.
#pragma once
#include "cli/process/args.h"
#include "cli/terminal/terminal.h"
#include "services/options/evaluation_options.h"

namespace komuz::cli {

[[nodiscard]] Exit run_evaluation(services::EvaluationKind kind, Args& args, Terminal& terminal);

}  // namespace komuz::cli
