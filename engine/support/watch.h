// SPDX-License-Identifier: Apache-2.0
// The observer of long work on cases: it may request a stop, and is told the progress.
#pragma once
#include <stop_token>
#include <string_view>
#include <utility>

#include "base/ints.h"

namespace komuz::engine {

class Watch {
 public:
  Watch() = default;
  explicit Watch(std::stop_token stop) : stop_(std::move(stop)) {}
  virtual ~Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // `done` of `all` is done; the noun is bytes, rows or cells.
  virtual void tell(u64 /*done*/, u64 /*all*/, std::string_view /*noun*/) const {}
  [[nodiscard]] bool is_stopped() const { return stop_.stop_requested(); }
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }

 private:
  std::stop_token stop_;
};

// A loop that checks the watch in each round, and reports progress every `pause` units.
class WatchedLoop {
 public:
  static constexpr u64 kBytes = u64{1} << 18, kRows = u64{1} << 12;  // a few milliseconds

  WatchedLoop(const Watch& watch, u64 all, std::string_view noun, u64 pause)
      : watch_(watch), all_(all), noun_(noun), pause_(pause), next_(pause) {}

  // True if the loop must end here, with `done` of all done.
  [[nodiscard]] bool is_stopped(u64 done) {
    if (done >= next_) {
      next_ = done + pause_;
      watch_.tell(done, all_, noun_);
    }
    return watch_.is_stopped();
  }

 private:
  const Watch& watch_;
  u64 all_;
  std::string_view noun_;
  u64 pause_, next_;
};

}  // namespace komuz::engine
