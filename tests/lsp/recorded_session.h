// SPDX-License-Identifier: Apache-2.0
// A server with one client whose run is recorded, job by job as a test does them: what --record keeps of a process
// with threads.
#pragma once
#include <string>
#include <vector>

#include "lsp/record.h"
#include "lsp/server.h"

namespace komuz::lsp_test {

class RecordedSession {
 public:
  // `files` outlives it.
  explicit RecordedSession(lsp::Files& files);

  // What the server has sent, in its order.
  std::vector<lsp::Json> sent;
  void send(const lsp::Json& message);
  // The job that waits longest, of all lanes or of one; null: there is none. It has begun.
  [[nodiscard]] lsp::JobRef take();
  [[nodiscard]] lsp::JobRef take(lsp::Lane lane);
  // It has ended, whether it was run or not.
  void finish(const lsp::JobRef& job);
  void run(lsp::Lane lane);
  void run_jobs();
  // Is something still to be said?
  [[nodiscard]] bool has_jobs() const { return server_.has_jobs(client_); }
  [[nodiscard]] const std::string& record() const { return text_; }

 private:
  [[nodiscard]] lsp::JobRef taken(lsp::JobRef job);

  std::string text_;
  lsp::Record record_;
  lsp::RecordedFiles files_;
  lsp::Server server_;
  u32 client_;
};

}  // namespace komuz::lsp_test
