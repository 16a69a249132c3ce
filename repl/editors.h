// SPDX-License-Identifier: Apache-2.0
// Editors that are attached to a session, as the session sees them (`:lsp`). How they connect is for whoever runs the session.
#pragma once
#include <string>

#include "base/ints.h"
#include "services/session/live_session.h"

namespace komuz::repl {

class Editors {
 public:
  virtual ~Editors() = default;
  // Editors may connect from now on, by a port of this machine; 0: any that is free. Why they cannot; empty: they can.
  [[nodiscard]] virtual std::string listen(u16 port) = 0;
  virtual void end() = 0;
  [[nodiscard]] virtual u16 port() const = 0;       // 0: none may connect
  [[nodiscard]] virtual u32 connected() const = 0;  // how many are
  virtual void show(services::LiveRef live) = 0;
};

}  // namespace komuz::repl
