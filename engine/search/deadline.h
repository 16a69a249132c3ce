// SPDX-License-Identifier: Apache-2.0
// Stops a run at its user's request, and a search when its time is up, even within a generation.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "engine/search/search.h"

namespace komuz::engine {

class Deadline {
 public:
  // `search` outlives this object; null: there is no time limit.
  Deadline(const SearchCandidates* search, std::stop_token user);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
  [[nodiscard]] const std::stop_token& user() const { return user_; }
  // True if the time limit stopped it, and not the user.
  [[nodiscard]] bool has_passed() const { return has_passed_ && !user_.stop_requested(); }

 private:
  void wait(const SearchCandidates& search);

  std::stop_token user_;
  std::stop_source source_;
  std::stop_callback<std::function<void()>> on_user_;
  std::atomic<bool> has_passed_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_ended_ = false;
  std::thread waiter_;
};

}  // namespace komuz::engine
