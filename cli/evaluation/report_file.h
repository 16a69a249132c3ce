// SPDX-License-Identifier: Apache-2.0
// The JSON report of an evaluation, and its best program, as files or on standard output, whose path is `-`.
#pragma once
#include <string>

#include "cli/terminal/terminal.h"
#include "engine/results/report.h"

namespace komuz::cli {

// `details` and `threads` as of write_report_json(); `problem` is looked at once all is written: that of the file that they
// come from.
[[nodiscard]] Exit write_report(const std::string& path, const engine::Results& results,
                                const engine::WriteDetails& details, u32 threads,
                                const Problem& problem, Terminal& terminal);

// Formats the source. Without one there is nothing to write, and that is said.
[[nodiscard]] Exit write_best(const std::string& path, const std::string& source,
                              Terminal& terminal);

}  // namespace komuz::cli
