// SPDX-License-Identifier: Apache-2.0
// The log that a command line asks for.
#pragma once
#include <stop_token>

#include "cli/terminal/terminal.h"
#include "engine/log/result_log.h"
#include "services/options/evaluation_request.h"

namespace komuz::cli {

// Opens the file of `--log` or `--resume`, with all settings that the results depend on in its header. Without these
// options nothing is opened.
Problem open_log(const services::EvaluationRequest& request, const engine::CasesTable& cases,
                 const std::stop_token& stop, Terminal& terminal, engine::ResultLog& log);

}  // namespace komuz::cli
