// SPDX-License-Identifier: Apache-2.0
// Shows the progress of work that takes a while.
#pragma once
#include <chrono>
#include <mutex>

#include "cli/terminal/terminal.h"
#include "services/progress_text.h"

namespace komuz::cli {

// On a terminal: a bar on standard error, redrawn at most every 50 ms. Elsewhere, if `--progress` asks for them:
// lines, one in each pause, with or without progress, provided that another thread calls tick(). Any thread may call
// any function.
class ProgressBar {
 public:
  explicit ProgressBar(Terminal& terminal)
      : stream_(terminal.err),
        pause_(terminal.progress_pause),
        command_start_(terminal.began.value_or(start_)) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(const services::Progress& progress);
  // Writes a line if one is due. Never waits for the reader of standard error.
  void tick();
  // Other output follows: the bar is removed, and no line comes before the next update().
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void say_line(Clock::time_point now);

  Stream& stream_;
  std::optional<std::chrono::milliseconds> pause_;
  Clock::time_point start_ = Clock::now(), last_ = start_, command_start_;
  std::mutex mutex_;
  services::Progress progress_;
  bool has_progress_ = false;
  bool shown_ = false;
};

}  // namespace komuz::cli
