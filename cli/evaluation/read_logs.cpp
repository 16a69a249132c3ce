// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/read_logs.h"

#include "cli/process/interrupt.h"
#include "cli/terminal/bar_watch.h"
#include "cli/terminal/end_process.h"
#include "engine/log/log_header.h"

namespace komuz::cli {

Exit read_logs(std::span<const std::string> paths, engine::MergedLogs::Take take,
               Terminal& terminal, engine::MergedLogs& logs, engine::Results& results) {
  Interrupt interrupt;
  Problem error;
  {
    const BarWatch bar(terminal, &interrupt, interrupt.token());
    error = logs.read(paths, results, take, bar);
  }
  if (interrupt.requested()) {
    terminal.error("interrupted while logs were read: nothing of them is shown");
    end_process(terminal, Exit::Interrupted);
  }
  return error ? terminal.input_error(error.text()) : Exit::Success;
}

Exit read_logs(const Args& args, std::span<const Output> outputs, Terminal& terminal,
               engine::MergedLogs& logs, engine::Results& results) {
  const std::vector<std::string> paths(args.positional.begin(), args.positional.end());
  if (const Exit checked = check_outputs(outputs, paths, terminal); checked != Exit::Success)
    return checked;
  using Take = engine::MergedLogs::Take;
  if (const Exit read = read_logs(paths, args.has("partial") ? Take::Parts : Take::Whole, terminal,
                                  logs, results);
      read != Exit::Success)
    return read;
  return check_outputs(outputs, engine::files_of(logs.header()), terminal);
}

}  // namespace komuz::cli
