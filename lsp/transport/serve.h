// SPDX-License-Identifier: Apache-2.0
// The server in a process: streams of clients, the thread that answers, the end of it all. One event loop reads and
// writes; it sleeps while nothing comes.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "lsp/project/files.h"
#include "lsp/record.h"

namespace komuz::lsp {

struct Serving {
  // Where clients come from: standard input and output, unless one of these is given. TCP listens to this machine
  // alone.
  std::optional<u16> tcp_port;
  std::string socket;  // a path, which nobody else may open
  // By WebSocket, also this machine alone (lsp/web/door.h says who is let in); 0: any port.
  std::optional<u16> web_port;
  bool has_page = false;  // that port serves the page of editors/web/, too

  std::optional<i64> parent;  // it ends with this process
  std::string version;
  Record* record = nullptr;  // outlives the run
  // Told once clients can come: the port, the path, or the address for a browser.
  std::function<void(std::string_view where)> on_ready = {};
};
struct Served {
  int exit = 0;         // what the session of standard input ended with; of others 0
  std::string problem;  // why it could not begin; empty: it did
};
// Returns when it is over: of standard input when its session is, of others never but by the end of the parent.
[[nodiscard]] Served serve(Files& files, const Serving& serving);

}  // namespace komuz::lsp
