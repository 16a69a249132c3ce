// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/report_file.h"

#include "cli/files/file_writer.h"
#include "cli/terminal/progress_bar.h"
#include "services/evaluation/optimised_best.h"
#include "services/export/export.h"

namespace komuz::cli {

Exit write_report(const std::string& path, const engine::Results& results,
                  const engine::WriteDetails& details, u32 threads,
                  const engine::ReportAdditions& additions, const Problem& problem,
                  Terminal& terminal) {
  const auto to_terminal = [&](std::string_view piece) {
    terminal.out.write(piece);
    return terminal.out.good();
  };
  FileWriter file(path);
  ProgressBar bar(terminal);
  u64 bytes = 0;
  Problem error;
  if (path == "-") {
    engine::write_report_json(to_terminal, results, details, threads, additions);
  } else if (!(error = file.open())) {
    const auto to_file = [&](std::string_view piece) {
      bar.update({bytes += piece.size(), {}, -1, "bytes of the report"});
      return file.write(piece);
    };
    engine::write_report_json(to_file, results, details, threads, additions);
    bar.clear();
    if (!problem) error = file.close();
  }
  if (problem) return terminal.input_error(problem.text());
  return error ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
}

Exit write_best(const std::string& path, const std::string& text, const BestFile& how,
                Terminal& terminal) {
  if (text.empty()) {
    terminal.error(std::string(services::kNoBest));
    return Exit::Failure;
  }
  if (path == "-") {
    terminal.out.write(text);
    return Exit::Success;
  }
  Result<services::Exported> made = services::text_for_file(
      path, text, {.entry = how.entry, .comments = how.comments, .ranges = how.ranges},
      how.library);
  if (made.problem())
    return terminal.input_error(path + ": " + made.problem().message(), made.problem().remedy());
  for (const std::string& note : made.value().notes) terminal.note(path + ": " + note, "");
  const auto error = write_file(path, made.value().text);
  return error ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
}

}  // namespace komuz::cli
