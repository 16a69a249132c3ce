// SPDX-License-Identifier: Apache-2.0
// A server and one client of it without streams and threads: what is sent comes back as a list, jobs are done when it
// is asked for.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/project/files.h"
#include "lsp/server.h"
#include "services/session/live_session.h"

namespace komuz::lsp_test {

// Files that a test says to be there. `/link/…` leads to `/w/…`.
class MemoryFiles final : public lsp::Files {
 public:
  std::map<std::string, std::string> texts;
  std::set<std::string> large;  // folders of which some modules are left out

  [[nodiscard]] std::optional<std::string> read(const std::string& path) override;
  [[nodiscard]] std::string real_path(const std::string& path) override;
  [[nodiscard]] std::vector<std::string> list_modules(const std::string& folder) override;
  [[nodiscard]] bool lists_all(const std::string& folder) override;
  [[nodiscard]] std::vector<std::string> list_folder(const std::string& folder) override;
  [[nodiscard]] std::string keep(const std::string& name, std::string_view text) override;
};

class SessionHarness {
 public:
  SessionHarness();

  MemoryFiles files;
  bool is_session_busy = false;  // that is attached: it takes no input
  // What the server has sent since it was asked last.
  [[nodiscard]] std::vector<lsp::Json> take_messages();
  void send(const lsp::Json& message);
  void send_bytes(std::string_view bytes);
  // Does all jobs that there are.
  void run_jobs();
  [[nodiscard]] lsp::Server& server() { return server_; }
  [[nodiscard]] u32 client() const { return client_; }

 private:
  std::vector<lsp::Json> messages_;
  lsp::Server server_;
  u32 client_;
};

[[nodiscard]] lsp::Json request(i64 id, std::string_view method, lsp::Json params);
[[nodiscard]] lsp::Json notification(std::string_view method, lsp::Json params);
[[nodiscard]] lsp::Json opened(std::string_view uri, i64 version, std::string_view text);

// A session that has defined these items.
[[nodiscard]] std::shared_ptr<services::LiveSession> live_session(const std::string& items);

// Lines of at most a hundred columns, where a value has places to break.
[[nodiscard]] std::string laid_out(const lsp::Json& value, size_t indent);

}  // namespace komuz::lsp_test
