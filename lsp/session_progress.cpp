// SPDX-License-Identifier: Apache-2.0
// Requests of the server to its client, and how far jobs are: by the token that a request came with, else by one of
// the server's own, which the client has to agree to first. Until it does, and where it never does, nothing is shown;
// the work goes on.
#include "lsp/answers/params.h"
#include "lsp/session.h"

namespace komuz::lsp {
namespace {

std::string progress_text(const Json& token, Json value) {
  return notification_text("$/progress", {{"token", token}, {"value", std::move(value)}});
}

}  // namespace

void Session::ask_client(std::string_view method, Json params, OwnRequests::Taken taken) {
  outside_.send(own_requests_.ask(method, std::move(params), std::move(taken)));
}

void Session::tell_progress(Job& job, Json value) {
  auto& shown = job.shown;
  if (member(value, "kind") == "part")
    return outside_.send(progress_text(shown.part_token, std::move(value["value"])));
  const bool is_begin = member(value, "kind") == "begin";
  if (is_begin) shown.begin = value;
  if (is_begin && shown.token.is_null() && client_->has_progress) {
    shown.token = "komuz-progress-" + std::to_string(++progress_);
    ask_client("window/workDoneProgress/create", {{"token", shown.token}},
               [this, token = shown.token](const Outcome& outcome) {
                 const JobRef asked = outside_.find_progress(token);
                 if (asked == nullptr || std::holds_alternative<Refusal>(outcome)) return;
                 asked->shown.is_agreed = true;
                 asked->shown.has_begun = true;
                 outside_.send(progress_text(token, asked->shown.begin));
               });
  }
  if (!shown.is_agreed || (!is_begin && !shown.has_begun)) return;
  shown.has_begun = true;
  outside_.send(progress_text(shown.token, std::move(value)));
}

void Session::end_progress(Job& job) {
  if (std::exchange(job.shown.has_begun, false))
    outside_.send(progress_text(job.shown.token, {{"kind", "end"}}));
}

// The person takes back what runs: as if the client had cancelled the request.
void Session::cancel_progress(const Message& message) {
  const Json& token = member(message.params, "token");
  const JobRef job = outside_.find_progress(token);
  if (job == nullptr) return;
  outside_.drop_progress(token);
  if (job->id != kNoId) outside_.send(refusal_text(job->id, cancelled()));
}

}  // namespace komuz::lsp
