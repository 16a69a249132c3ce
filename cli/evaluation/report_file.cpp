// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/report_file.h"

#include "cli/evaluation/best_texts.h"
#include "cli/files/file_writer.h"
#include "cli/terminal/progress_bar.h"
#include "services/results/fitted_line.h"

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

Result<std::string> best_text(const engine::Results& results, std::string source,
                              std::string_view entry, const Library* library) {
  if (!engine::fits_line(results.score) || source.empty()) return source;
  if (results.best_line) return services::with_line(source, entry, *results.best_line, library);
  return input_problem("the line of the best program does not fit an f64: it is not written")
      .with_remedy("scale the numbers of the cases");
}

Exit write_best(const std::string& path, const std::string& source, Terminal& terminal) {
  if (source.empty()) {
    terminal.error(std::string(kNoBest));
    return Exit::Failure;
  }
  const std::string text = shown_program(source);
  if (path == "-") {
    terminal.out.write(text);
    return Exit::Success;
  }
  const auto error = write_file(path, text);
  return error ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
}

}  // namespace komuz::cli
