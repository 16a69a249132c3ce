// SPDX-License-Identifier: Apache-2.0
#include "cli/report_file.h"

#include "cli/files.h"

namespace komuz::cli {

Exit write_report(const std::string& path, const engine::Results& results,
                  const engine::WriteDetails& details, const engine::MaybeError& problem,
                  Terminal& terminal) {
  const auto to_terminal = [&](std::string_view piece) {
    terminal.out.write(piece);
    return terminal.out.good();
  };
  FileWriter file(path);
  MaybeFileError error;
  if (path == "-") {
    engine::write_report_json(to_terminal, results, details);
  } else if (!(error = file.open())) {
    engine::write_report_json([&](std::string_view piece) { return file.write(piece); }, results,
                              details);
    if (!problem) error = file.close();
  }
  if (problem) return terminal.input_error(problem->text());
  return error ? terminal.input_error(error->message, error->remedy) : Exit::Success;
}

}  // namespace komuz::cli
