// SPDX-License-Identifier: Apache-2.0
// Requests that an edit makes stale, and pulls of the workspace's diagnostics. A client that takes them in parts asks
// again as soon as it is answered: where nothing has changed since, its request waits for a change, so that nothing
// runs meanwhile.
#include "lsp/answers/params.h"
#include "lsp/session.h"
#include "lsp/text/uri.h"

namespace komuz::lsp {

void Session::drop_stale(const Document& document) {
  for (const auto& [id, refusal] : outside_.drop_stale(uri_key(document.uri)))
    outside_.send(refusal_text(id, refusal));
}

void Session::answer_workspace_pull(const Message& message, Answer answer) {
  const Json& known = member(message.params, "previousResultIds");
  const bool may_wait =
      !member(message.params, "partialResultToken").is_null() && known.is_array() && !known.empty();
  if (may_wait && pulled_changes_ == changes_) {
    end_waiting_pull();
    waiting_pull_ = message;
    return;
  }
  pulled_changes_ = changes_;
  add_job(message, [id = message.id, answer](const Question& question) {
    return std::vector{outcome_text(id, answer(question))};
  });
}

void Session::note_change() {
  ++changes_;
  if (!waiting_pull_ || state_ != State::Ready) return;
  const Message message = *std::exchange(waiting_pull_, std::nullopt);
  answer_workspace_pull(message, answer_workspace_diagnostics);
}

bool Session::cancel_waiting_pull(const MessageId& id) {
  if (!waiting_pull_ || waiting_pull_->id != id) return false;
  waiting_pull_.reset();
  return true;
}

// Nothing has changed.
void Session::end_waiting_pull() {
  if (!waiting_pull_) return;
  outside_.send(result_text(waiting_pull_->id, {{"items", Json::array()}}));
  waiting_pull_.reset();
}

}  // namespace komuz::lsp
