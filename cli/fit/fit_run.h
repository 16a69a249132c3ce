// SPDX-License-Identifier: Apache-2.0
// `komuz fit`: reads the table, fits, and shows and writes what was found.
#pragma once
#include "cli/fit/fit_request.h"
#include "cli/terminal/terminal.h"

namespace komuz::cli {

[[nodiscard]] Exit run_fit(const FitRequest& request, Terminal& terminal);

}  // namespace komuz::cli
