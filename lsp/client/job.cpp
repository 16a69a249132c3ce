// SPDX-License-Identifier: Apache-2.0
#include "lsp/client/job.h"

#include <exception>

namespace komuz::lsp {

void Job::run() {
  std::string fault;
  try {
    messages = work(stop.get_token());
    return;
  } catch (const std::exception& error) {
    fault = error.what();
  }
  has_failed = true;
  // MessageType of the protocol.
  constexpr u32 kError = 1;
  const std::string words =
      "komuz is at fault: " + fault + "; start it with `--record FILE` to keep what leads there";
  messages = {notification_text("window/logMessage", {{"type", kError}, {"message", words}})};
  if (id != kNoId) messages.push_back(refusal_text(id, {ErrorCode::InternalError, words}));
}

}  // namespace komuz::lsp
