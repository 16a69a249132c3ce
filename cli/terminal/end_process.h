// SPDX-License-Identifier: Apache-2.0
// The end of the process: what is left to be written, and what a shell is told.
#pragma once
#include "cli/terminal/terminal.h"

namespace komuz::cli {

// Writes it, and returns what to end with. Ends by SIGPIPE where nobody reads standard output any more.
[[nodiscard]] Exit finish_output(Terminal& terminal, Exit exit);
// Ends at once. What is in memory is not given back piece by piece, which takes long of millions of rows.
[[noreturn]] void end_process(Terminal& terminal, Exit exit);

}  // namespace komuz::cli
