// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a stop token.
#pragma once
#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace komuz::cli {

// While it lives, the first SIGINT or SIGTERM requests a stop. A second one ends the process at once, and so do three
// seconds in which the work did not come to a place where it can stop (no known work takes as long).
// A thread waits for the signals, so no code runs in a signal handler. Make it before any other thread.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  // The work has stopped: what follows may take its time.
  void work_ended() { work_ended_ = true; }
  [[nodiscard]] bool requested() const { return stop_.stop_requested(); }

 private:
  sigset_t signals_{}, before_{};
  std::stop_source stop_;
  std::atomic<bool> work_ended_ = false;
  std::jthread waiter_;
};

}  // namespace komuz::cli
