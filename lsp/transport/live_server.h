// SPDX-License-Identifier: Apache-2.0
// The server inside of another process, which has a session: editors connect to a port of this machine, and see what the session has
// defined. The event loop of serve.h runs on a thread of its own, so neither waits for the other.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "lsp/project/files.h"
#include "services/session/live_session.h"

namespace komuz::lsp {

// Used by one thread, that of the session.
class LiveServer {
 public:
  // `files` outlives it. `on_input` is called by another thread, with items that an editor sends to the session. False: it takes none now.
  LiveServer(Files& files, std::string version, std::function<bool(std::string)> on_input);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  // Clients can come to 127.0.0.1 from now on; 0: to any port that is free. Not while it listens. Why it cannot; empty: it does.
  [[nodiscard]] std::string listen(u16 port);
  // Streams of clients end.
  void end();
  [[nodiscard]] u16 port() const;  // 0: it does not listen
  [[nodiscard]] u32 clients() const;
  // What clients see of the session from now on.
  void show(services::LiveRef live);

 private:
  struct Running;
  Files& files_;
  std::string version_;
  std::function<bool(std::string)> on_input_;
  std::unique_ptr<Running> running_;
};

}  // namespace komuz::lsp
