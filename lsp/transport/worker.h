// SPDX-License-Identifier: Apache-2.0
// A thread that does jobs, one at a time.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "lsp/server.h"

namespace komuz::lsp {

class Worker {
 public:
  // Low: whatever else the machine has to do goes first.
  enum class Priority : u8 { Normal, Low };
  // `on_done` is called by the worker's thread.
  Worker(Priority priority, std::function<void(JobRef job)> on_done);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  [[nodiscard]] bool is_idle() const { return is_idle_; }
  // While it is idle; whoever gives says when a job has been taken back.
  void give(JobRef job);
  void took_back() { is_idle_ = true; }

 private:
  void run(const std::stop_token& stop);

  std::function<void(JobRef job)> on_done_;
  bool is_idle_ = true;  // for the thread that gives
  std::mutex mutex_;
  std::condition_variable_any changed_;
  JobRef job_;
  std::jthread thread_;
};

}  // namespace komuz::lsp
