// SPDX-License-Identifier: Apache-2.0
#include "lsp/client/own_requests.h"

#include <algorithm>

namespace komuz::lsp {

MessageId OwnRequests::id_of(u64 number) { return json_text("komuz-" + std::to_string(number)); }

std::string OwnRequests::ask(std::string_view method, Json params, Taken taken) {
  ++asked_;
  if (waiting_.size() == kMostWaiting) waiting_.erase(waiting_.begin());
  waiting_.emplace(asked_, std::move(taken));
  return request_text(id_of(asked_), method, std::move(params));
}

bool OwnRequests::take(const Message& response) {
  const auto found = std::ranges::find_if(
      waiting_, [&](const auto& waiting) { return id_of(waiting.first) == response.id; });
  if (found == waiting_.end()) return false;
  const Taken taken = std::move(found->second);
  waiting_.erase(found);
  if (taken) taken(response.has_failed ? Outcome(response.refusal) : Outcome(response.result));
  return true;
}

}  // namespace komuz::lsp
