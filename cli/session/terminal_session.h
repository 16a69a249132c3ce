// SPDX-License-Identifier: Apache-2.0
// A session with somebody at a terminal: inputs are edited, run, and their answers shown.
#pragma once
#include "cli/process/interrupt.h"
#include "cli/session/raw_terminal.h"
#include "cli/terminal/terminal.h"
#include "repl/repl.h"

namespace komuz::cli {

// Can the terminal be edited on: are both streams one, and is it more than a printer?
[[nodiscard]] bool can_edit(const Terminal& terminal);

// Two lines for who begins a session at a terminal: what this is, how to learn more, how to leave.
[[nodiscard]] std::string session_banner();

// Until the end of the session, or an interrupt that is not of an input.
void run_terminal_session(Terminal& terminal, repl::Repl& session, std::string_view name,
                          TerminalSignals& signals, Interrupt& interrupt);

}  // namespace komuz::cli
