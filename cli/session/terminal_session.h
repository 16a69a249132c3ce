// SPDX-License-Identifier: Apache-2.0
// A session with a user at a terminal: inputs are edited and run, and their answers shown.
#pragma once
#include "cli/process/interrupt.h"
#include "cli/session/live_editors.h"
#include "cli/session/raw_terminal.h"
#include "cli/terminal/terminal.h"
#include "repl/repl.h"

namespace komuz::cli {

// True if lines can be edited: both streams are the same terminal, and it can do more than a printer.
[[nodiscard]] bool can_edit(const Terminal& terminal);

// Two lines at the start of a session on a terminal: what this is, how to learn more, how to leave.
[[nodiscard]] std::string session_banner();

// Runs until the end of the session, or until an interrupt outside of an input.
void run_terminal_session(Terminal& terminal, repl::Repl& session, std::string_view name,
                          TerminalSignals& signals, Interrupt& interrupt, LiveEditors& editors);

}  // namespace komuz::cli
