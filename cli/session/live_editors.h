// SPDX-License-Identifier: Apache-2.0
// Editors that are attached to the session of this process, by a port of this machine, and the items that they send.
#pragma once
#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "cli/editor/disk_files.h"
#include "lsp/transport/live_server.h"
#include "repl/editors.h"

namespace komuz::cli {

// Where items come from, for messages about them.
inline constexpr std::string_view kEditorName = "<editor>";

class LiveEditors final : public repl::Editors {
 public:
  LiveEditors();
  ~LiveEditors() override;
  LiveEditors(const LiveEditors&) = delete;
  LiveEditors& operator=(const LiveEditors&) = delete;

  [[nodiscard]] std::string listen(u16 port) override { return server_.listen(port); }
  void end() override { server_.end(); }
  [[nodiscard]] u16 port() const override { return server_.port(); }
  [[nodiscard]] u32 connected() const override { return server_.clients(); }
  void show(services::LiveRef live) override { server_.show(std::move(live)); }

  // Readable while there are items that have not been taken; -1: there can be none.
  [[nodiscard]] int readable_end() const { return ends_[0]; }
  // Those that came first; empty: there are none.
  [[nodiscard]] std::string take();

 private:
  // False: too many wait already.
  [[nodiscard]] bool add(std::string items);

  DiskFiles files_;
  std::mutex mutex_;
  std::deque<std::string> items_;
  int ends_[2] = {-1, -1};
  lsp::LiveServer server_;  // ends first: its thread adds items
};

}  // namespace komuz::cli
