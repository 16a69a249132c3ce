// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a stop token.
#pragma once
#include <csignal>
#include <stop_token>
#include <thread>

namespace komuz::cli {

// While it lives, the first SIGINT or SIGTERM requests a stop; the second ends the process at once. A thread waits for
// the signals, so no code runs in a signal handler. Make it before any other thread.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  [[nodiscard]] bool requested() const { return stop_.stop_requested(); }

 private:
  sigset_t signals_{}, before_{};
  std::stop_source stop_;
  std::jthread waiter_;
};

}  // namespace komuz::cli
