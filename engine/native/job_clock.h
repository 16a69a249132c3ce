// SPDX-License-Identifier: Apache-2.0
// How much processor time a job of this thread takes. To ask the system for it takes longer than a short job may be
// delayed, so short jobs are timed by the clock on the wall.
#pragma once
#include <ctime>

#include <algorithm>

#include "base/ints.h"

namespace komuz::engine {

[[nodiscard]] inline i64 read_clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return i64{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}
[[nodiscard]] inline i64 thread_time_ns() { return read_clock_ns(CLOCK_THREAD_CPUTIME_ID); }

class JobClock {
 public:
  void start() {
    began_ = read_clock_ns(CLOCK_MONOTONIC);
    if (began_ - marked_ < kMarkEach) return;
    marked_ = began_;
    thread_mark_ = thread_time_ns();
  }
  // Nanoseconds since start(): of the processor if they are many, else of the wall.
  [[nodiscard]] i64 stop() {
    const i64 now = read_clock_ns(CLOCK_MONOTONIC), passed = now - began_;
    if (passed < kMarkEach) return passed;
    const i64 thread_now = thread_time_ns();
    const i64 worked = thread_now - thread_mark_;
    marked_ = now;
    thread_mark_ = thread_now;
    return std::min(passed, worked);
  }

 private:
  static constexpr i64 kMarkEach = 200'000;
  i64 began_ = 0, marked_ = 0, thread_mark_ = 0;
};

}  // namespace komuz::engine
