// SPDX-License-Identifier: Apache-2.0
#include "tests/lsp/recorded_session.h"

#include "lsp/wire/framing.h"

namespace komuz::lsp_test {

using lsp::JobRef;
using lsp::Json;

RecordedSession::RecordedSession(lsp::Files& files)
    : record_([this](std::string_view line) { text_ += line; }, "0.0.0"),
      files_(files, record_),
      server_(files_, "0.0.0",
              [this](u32 client, std::string_view message) {
                record_.sent(client, message);
                sent.push_back(Json::parse(message));
              }),
      client_(server_.connect()) {
  record_.connected(client_);
}

void RecordedSession::send(const Json& message) {
  const std::string bytes = lsp::framed(message.dump());
  record_.received(client_, bytes);
  server_.receive(client_, bytes);
}

JobRef RecordedSession::taken(JobRef job) {
  if (job != nullptr) record_.took(job->number);
  return job;
}
JobRef RecordedSession::take() { return taken(server_.take()); }
JobRef RecordedSession::take(lsp::Lane lane) { return taken(server_.take(lane)); }
void RecordedSession::finish(const JobRef& job) {
  record_.ran(job->number, job->found.get());
  static_cast<void>(server_.finish(job));
}
void RecordedSession::run(lsp::Lane lane) {
  while (const JobRef job = take(lane)) {
    job->run();
    finish(job);
  }
}
void RecordedSession::run_jobs() {
  while (const JobRef job = take()) {
    job->run();
    finish(job);
  }
}

}  // namespace komuz::lsp_test
