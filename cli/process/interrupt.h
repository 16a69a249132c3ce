// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a stop token.
#pragma once
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "base/ints.h"

namespace komuz::cli {

// While it lives, the first SIGINT or SIGTERM requests a stop. A second one ends the process at once, unless it comes
// right behind the first: `timeout` signals a process and its group, and means one interrupt. The process also ends
// after three seconds in which the work did not reach a place where it can stop (no known work takes as long), or in
// which nobody took its output. A thread waits for the signals, so no code runs in a signal handler. Make it before
// any other thread. If the system gives no thread for it, signals end the process as usual.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  // The work has stopped: the following steps may take their time.
  void work_ended() { work_ended_ = true; }
  [[nodiscard]] bool requested() const { return stop_.stop_requested(); }

  // For callers that do one thing after the other, and go on when one is stopped. From the first call on SIGINT only
  // stops the running part, however often it comes, and has no effect between parts; SIGTERM stops everything.
  [[nodiscard]] std::stop_token begin_part();
  void end_part();
  // The same, but a SIGINT between parts stops everything, unless it comes right behind this part: then it was meant
  // for the part.
  void end_part_before_rest();
  // Called by another thread before the process is ended at once; empty: nothing.
  void set_last_act(std::function<void()> act);
  // Called every 20 ms by another thread, which must not be blocked; empty: nothing.
  void set_tick(std::function<void()> tick);
  // True if the running work has been asked to stop.
  [[nodiscard]] bool is_stopping();

 private:
  void wait_for_signals(const std::stop_token& done);
  [[noreturn]] void end_process();
  // True while the results so far are being shown.
  [[nodiscard]] bool is_showing();
  // Returns whether to go on.
  bool take(int signal);

  sigset_t signals_{}, before_{};
  std::stop_source stop_;
  std::chrono::steady_clock::time_point stopped_;  // when the stop was requested
  std::atomic<bool> work_ended_ = false;
  std::mutex mutex_;  // of the parts
  bool has_parts_ = false, is_in_part_ = false;
  std::chrono::steady_clock::time_point part_ended_;
  std::stop_source part_;
  std::function<void()> last_act_;
  std::mutex tick_mutex_;
  std::function<void()> tick_;
  std::jthread waiter_;
};

}  // namespace komuz::cli
