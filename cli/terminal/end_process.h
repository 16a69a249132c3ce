// SPDX-License-Identifier: Apache-2.0
// The end of the process: the last output, and the exit code.
#pragma once
#include "cli/terminal/terminal.h"

namespace komuz::cli {

// Writes the last output, and returns the exit code. Ends by SIGPIPE if nobody reads standard output any more.
[[nodiscard]] Exit finish_output(Terminal& terminal, Exit exit);
// Ends at once. Memory is not freed piece by piece, which would take long for millions of rows.
[[noreturn]] void end_process(Terminal& terminal, Exit exit);

}  // namespace komuz::cli
