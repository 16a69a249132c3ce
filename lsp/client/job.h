// SPDX-License-Identifier: Apache-2.0
// Work for the thread that answers: all that it needs is in it, and what comes of it are messages.
#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/ints.h"
#include "lsp/wire/message.h"

namespace komuz::lsp {

struct Job {
  u64 number = 0;
  u32 client = 0;
  MessageId id{kNoId};  // of the request that it answers
  std::string topic;    // a later job of the same topic takes its place; empty: none does
  bool is_second =
      false;  // it took the place of one that ran: it runs to its end, so that something is said to who never pauses
  std::function<std::vector<std::string>(const std::stop_token& stop)> work;

  std::stop_source stop;
  std::vector<std::string> messages;  // what came of it
  bool is_needless = false;           // it was cancelled or overtaken

  // Does it, and lets nothing out: what is thrown becomes an error of the server.
  void run();
};

}  // namespace komuz::lsp
