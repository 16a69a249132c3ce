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

// While it lives, the first SIGINT or SIGTERM requests a stop. A second one ends the process at once, unless it comes right
// behind the first: `timeout` signals a process and its group, and means one interrupt. So do three seconds in which the work
// did not come to a place where it can stop (no known work takes as long), or in which nobody took what it writes.
// A thread waits for the signals, so no code runs in a signal handler. Make it before any other thread. Where the system gives
// no thread for that, signals end the process as they end any other.
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

  // For who does one thing after the other and goes on when one is stopped. From the first call on SIGINT stops the part that
  // runs alone, however often it comes, and nothing where none does; SIGTERM stops all.
  [[nodiscard]] std::stop_token begin_part();
  void end_part();
  // The same, and a SIGINT between parts stops all, but for one that comes right behind this part: that was meant for it.
  void end_part_before_rest();
  // Done before the process is ended at once, by another thread; empty: nothing.
  void set_last_act(std::function<void()> act);
  // Done every 20 ms by another thread, which it must not keep waiting; empty: nothing.
  void set_tick(std::function<void()> tick);
  // Has the work that runs been asked to stop?
  [[nodiscard]] bool is_stopping();

 private:
  void wait_for_signals(const std::stop_token& done);
  [[noreturn]] void end_process();
  // Is what there was by then shown now?
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
