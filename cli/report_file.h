// SPDX-License-Identifier: Apache-2.0
// The JSON report of an evaluation as a file or on standard output.
#pragma once
#include <string>

#include "cli/terminal.h"
#include "engine/report.h"

namespace komuz::cli {

// `path`: `-` is standard output. `details` as of write_report_json(); `problem` is looked at once all is written: that of
// the file that they come from.
[[nodiscard]] Exit write_report(const std::string& path, const engine::Results& results,
                                const engine::WriteDetails& details,
                                const engine::MaybeError& problem, Terminal& terminal);

}  // namespace komuz::cli
