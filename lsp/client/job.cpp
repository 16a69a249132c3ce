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
  try {
    messages = work(stop.get_token());
    return;
  } catch (const std::exception& error) {
    fault = error.what();
  }
  if (fault.empty()) fault = "unknown";
  messages.clear();
  if (!keep_fault) messages.push_back(fault_text(fault, ""));
  if (id != kNoId)
    messages.push_back(
        refusal_text(id, {ErrorCode::InternalError, "komuz is at fault: " + fault, nullptr}));
}

std::string fault_text(const std::string& fault, const std::string& kept) {
  // MessageType of the protocol.
  constexpr u32 kError = 1;
  return notification_text(
      "window/logMessage",
      {{"type", kError},
       {"message", "komuz is at fault: " + fault +
                       (kept.empty() ? "; start it with `--record FILE` to keep what leads there"
                                     : "; `komuz lsp --replay " + kept +
                                           "` does it again: please report that file")}});
}

Job tell_of_fault(u32 client, std::string fault, Job::KeepFault keep) {
  Job job;
  job.client = client;
  job.lane = Lane::Faults;
  job.work = [fault = std::move(fault), keep = std::move(keep)](const std::stop_token& stop) {
    std::string kept;
    try {
      kept = keep(stop);
    } catch (const std::exception&) {
      // What cannot be kept is told nevertheless.
    }
    return std::vector{fault_text(fault, kept)};
  };
  return job;
}

}  // namespace komuz::lsp
