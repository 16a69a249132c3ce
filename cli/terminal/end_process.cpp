// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/end_process.h"

#include <unistd.h>

#include <csignal>

namespace komuz::cli {
namespace {

// The end that a shell expects of a process that writes to a pipe without a reader.
void end_by_pipe_signal() {
  static_cast<void>(std::signal(SIGPIPE, SIG_DFL));
  static_cast<void>(std::raise(SIGPIPE));
}

}  // namespace

Exit finish_output(Terminal& terminal, Exit exit) {
  terminal.out.flush();
  if (!terminal.out.has_reader()) end_by_pipe_signal();
  if (terminal.out.good()) return exit;
  terminal.error("standard output could not be written");
  return Exit::InputOutput;
}

void end_process(Terminal& terminal, Exit exit) {
  const Exit with = finish_output(terminal, exit);
  terminal.err.flush();
  _exit(static_cast<int>(with));
}

}  // namespace komuz::cli
