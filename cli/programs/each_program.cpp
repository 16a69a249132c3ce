// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/each_program.h"

#include "cli/process/interrupt.h"
#include "cli/terminal/bar_watch.h"

namespace komuz::cli {

Exit work_on_each(std::span<const std::string> paths, Terminal& terminal, Exit exit,
                  const WorkOnProgram& work) {
  Interrupt interrupt;
  const std::stop_token stop = interrupt.token();
  for (const std::string& path : paths) {
    const BarWatch bar(terminal, &interrupt, stop);
    const Exit done = work(path, bar);
    if (done == Exit::Interrupted) {
      terminal.error("interrupted");
      return done;
    }
    if (exit == Exit::Success) exit = done;
  }
  return exit;
}

}  // namespace komuz::cli
