// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/report_file.h"

#include "cli/files/file_writer.h"
#include "cli/terminal/progress_bar.h"

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

Exit write_best(const std::string& path, const std::string& text, Terminal& terminal) {
  if (text.empty()) {
    terminal.error(std::string(kNoBest));
    return Exit::Failure;
  }
  if (path == "-") {
    terminal.out.write(text);
    return Exit::Success;
  }
  const auto error = write_file(path, text);
  return error ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
}

}  // namespace komuz::cli
