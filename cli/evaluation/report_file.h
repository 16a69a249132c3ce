// SPDX-License-Identifier: Apache-2.0
// Writes the JSON report of an evaluation, and its best program, to files or to standard output, whose path is `-`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/terminal.h"
#include "engine/results/report.h"
#include "lang/library.h"
#include "services/export/export.h"

namespace komuz::cli {

// `details`, `threads` and `additions` as for write_report_json(). `problem` is read after all is written: it is the fault of the
// file that the details come from.
[[nodiscard]] Exit write_report(const std::string& path, const engine::Results& results,
                                const engine::WriteDetails& details, u32 threads,
                                const engine::ReportAdditions& additions, const Problem& problem,
                                Terminal& terminal);

// What the best program is written with, where the file's ending names another language (services/export/).
struct BestFile {
  std::string entry = {};  // empty: the only `pub fn`
  const Library* library =
      nullptr;  // the modules that it uses; null: those of the standard library
  // As ExportOptions has them.
  std::vector<std::string> comments = {};
  std::vector<services::ExportRange> ranges = {};
};
// If there is no text, reports that there is nothing to write.
[[nodiscard]] Exit write_best(const std::string& path, const std::string& text, const BestFile& how,
                              Terminal& terminal);

}  // namespace komuz::cli
