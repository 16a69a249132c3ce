// SPDX-License-Identifier: Apache-2.0
// `komuz fit`: reads the table, fits, and shows and writes what was found.
#pragma once
#include "cli/terminal/terminal.h"
#include "services/fit/fit_request.h"

namespace komuz::cli {

using services::FitRequest;

[[nodiscard]] Exit run_fit(const FitRequest& request, Terminal& terminal);

}  // namespace komuz::cli
