// SPDX-License-Identifier: Apache-2.0
// `komuz lsp --connect`: an editor that can only start a program talks to the server of a session (`:lsp` of `komuz repl`).
#pragma once
#include "base/ints.h"
#include "base/problem.h"

namespace komuz::cli {

// How a connection has ended.
enum class Connected : u8 {
  Left,   // the editor has sent `exit` behind `shutdown`
  Ended,  // without: the editor has gone, or sent `exit` alone
  Lost,   // the session has ended it
};
// Hands on what comes by standard input to a port of this machine, and what comes from there to standard output, until that side
// ends. A problem: nothing listens there.
Result<Connected> connect_streams(u16 port);

}  // namespace komuz::cli
