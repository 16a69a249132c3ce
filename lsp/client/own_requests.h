// SPDX-License-Identifier: Apache-2.0
// Requests of the server to its client: their ids, and what is done with their answers. Nobody waits for an answer:
// some clients never give one, and some answer what they do not know by `null`.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "lsp/wire/message.h"

namespace komuz::lsp {

class OwnRequests {
 public:
  using Taken = std::function<void(const Outcome& outcome)>;
  // The text of a request. `taken` is called with its answer, if there is one; it may be empty.
  [[nodiscard]] std::string ask(std::string_view method, Json params, Taken taken);
  // Hands an answer to whoever asked. False: nobody waits for it.
  bool take(const Message& response);
  [[nodiscard]] size_t unanswered() const { return waiting_.size(); }

 private:
  // The oldest is forgotten where a client answers none.
  static constexpr size_t kMostWaiting = 256;
  [[nodiscard]] static MessageId id_of(u64 number);

  u64 asked_ = 0;
  std::map<u64, Taken> waiting_;
};

}  // namespace komuz::lsp
