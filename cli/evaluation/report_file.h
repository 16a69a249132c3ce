// SPDX-License-Identifier: Apache-2.0
// Writes the JSON report of an evaluation, and its best program, to files or to standard output, whose path is `-`.
#pragma once
#include <string>
#include <string_view>

#include "cli/terminal/terminal.h"
#include "engine/results/report.h"
#include "lang/library.h"

namespace komuz::cli {

// `details`, `threads` and `additions` as for write_report_json(). `problem` is read after all is written: it is the fault of the
// file that the details come from.
[[nodiscard]] Exit write_report(const std::string& path, const engine::Results& results,
                                const engine::WriteDetails& details, u32 threads,
                                const engine::ReportAdditions& additions, const Problem& problem,
                                Terminal& terminal);

inline constexpr std::string_view kNoBest = "no program has a score: there is no best one to write";

// The text to write of the best program. Of a score that fits a line it contains the line. `entry`, `library`: as for
// services::with_line().
[[nodiscard]] Result<std::string> best_text(const engine::Results& results, std::string source,
                                            std::string_view entry, const Library* library);
// Formats the source. If there is none, reports that there is nothing to write.
[[nodiscard]] Exit write_best(const std::string& path, const std::string& source,
                              Terminal& terminal);

}  // namespace komuz::cli
