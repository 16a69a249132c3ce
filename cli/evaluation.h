// SPDX-License-Identifier: Apache-2.0
// What `komuz eval` and `komuz search` share: candidates and cases in, a ranking out.
#pragma once
#include "cli/args.h"
#include "cli/terminal.h"

namespace komuz::cli {

enum class EvaluationKind : u8 { Eval, Search };
[[nodiscard]] Exit run_evaluation(EvaluationKind kind, Args& args, Terminal& terminal);

}  // namespace komuz::cli
