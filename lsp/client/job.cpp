// SPDX-License-Identifier: Apache-2.0
#include "lsp/client/job.h"

#include <exception>

namespace komuz::lsp {

void Job::show_by(const Json& token) {
  if (!token.is_string() && !token.is_number_integer()) return;
  shown.token = token;
  shown.is_agreed = true;
}

void Job::run() {
  if (is_given) return;
  std::string fault;
  try {
    messages = work(stop.get_token());
    return;
  } catch (const std::exception& error) {
    fault = error.what();
  }
  has_failed = true;
  std::string kept;
  try {
    if (keep_fault) kept = keep_fault();
  } catch (const std::exception&) {
    // What cannot be kept is told nevertheless.
  }
  // MessageType of the protocol.
  constexpr u32 kError = 1;
  const std::string words =
      "komuz is at fault: " + fault +
      (kept.empty() ? "; start it with `--record FILE` to keep what leads there"
                    : "; `komuz lsp --replay " + kept + "` does it again: please report that file");
  messages = {notification_text("window/logMessage", {{"type", kError}, {"message", words}})};
  if (id != kNoId) messages.push_back(refusal_text(id, {ErrorCode::InternalError, words, nullptr}));
}

}  // namespace komuz::lsp
