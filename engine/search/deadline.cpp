// SPDX-License-Identifier: Apache-2.0
#include "engine/search/deadline.h"

#include <algorithm>
#include <system_error>

namespace komuz::engine {

Deadline::Deadline(const SearchCandidates* search, std::stop_token user)
    : user_(std::move(user)), on_user_(user_, [this] { source_.request_stop(); }) {
  if (search == nullptr || search->options().time.count() == 0) return;
  try {
    waiter_ = std::thread([this, search] { wait(*search); });
  } catch (const std::system_error&) {
    // If no thread can be started, the search ends between two generations.
  }
}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  ended_.notify_one();
  if (waiter_.joinable()) waiter_.join();
}

// The clock restarts as long as the results are those of an earlier run.
void Deadline::wait(const SearchCandidates& search) {
  constexpr std::chrono::milliseconds kLook{10};
  std::unique_lock lock(mutex_);
  while (!is_ended_) {
    const auto left = search.time_left();
    if (left.count() <= 0) {
      has_passed_ = true;
      source_.request_stop();
      return;
    }
    ended_.wait_for(lock, std::min<std::chrono::nanoseconds>(left, kLook));
  }
}

}  // namespace komuz::engine
