// SPDX-License-Identifier: Apache-2.0
#include "cli/process/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <ctime>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/process/exit_codes.h"

namespace komuz::cli {

namespace {

void say(std::string_view message) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message.data(), message.size());
}
constexpr std::string_view kGivenUp =
    "error: interrupted; the work did not stop within three seconds, and nothing of it is shown\n";
constexpr std::string_view kNotTaken =
    "error: interrupted; nobody has read what is written for three seconds, and the output is not "
    "complete\n";

// The processor time of all threads but this one, in nanoseconds.
i64 time_of_others() {
  const auto read = [](clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return i64{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  return read(CLOCK_PROCESS_CPUTIME_ID) - read(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  // Threads inherit the mask, so only the waiter sees these signals.
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  try {
    waiter_ = std::jthread([this](const std::stop_token& done) { wait_for_signals(done); });
  } catch (const std::system_error&) {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
}

void Interrupt::wait_for_signals(const std::stop_token& done) {
  constexpr timespec kStep = {.tv_sec = 0, .tv_nsec = 20'000'000};
  constexpr int kPatience = 150;  // steps
  int steps_since = 0, idle_steps = 0;
  i64 time_before = 0;
  while (!done.stop_requested()) {
    const int signal = sigtimedwait(&signals_, nullptr, &kStep);
    if (done.stop_requested()) return;
    if (signal > 0 && !take(signal)) end_process();
    steps_since = is_stopping() ? steps_since + 1 : 0;
    // Writing output may take long, but not for ever. If no thread works, all wait for the reader of the output.
    const i64 time = time_of_others();
    constexpr i64 kIdle = 20'000;  // nanoseconds of work in a step that count as idle
    idle_steps = is_showing() && time - time_before < kIdle ? idle_steps + 1 : 0;
    time_before = time;
    if (steps_since > kPatience || idle_steps > kPatience) {
      say(steps_since > kPatience ? kGivenUp : kNotTaken);
      end_process();
    }
    const std::scoped_lock lock(tick_mutex_);
    try {
      if (tick_) tick_();
    } catch (const std::bad_alloc&) {  // tried again later
    }
  }
}

Interrupt::~Interrupt() {
  if (!waiter_.joinable()) return;
  waiter_.request_stop();
  pthread_kill(waiter_.native_handle(), SIGINT);  // ends its step at once
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interrupt::set_last_act(std::function<void()> act) {
  const std::scoped_lock lock(mutex_);
  last_act_ = std::move(act);
}

void Interrupt::set_tick(std::function<void()> tick) {
  const std::scoped_lock lock(tick_mutex_);
  tick_ = std::move(tick);
}

void Interrupt::end_process() {
  const std::scoped_lock lock(mutex_);
  if (last_act_) last_act_();
  _exit(static_cast<int>(Exit::Interrupted));
}

bool Interrupt::take(int signal) {
  const std::scoped_lock lock(mutex_);
  if (is_in_part_) part_.request_stop();
  if (has_parts_ && signal == SIGINT) return true;
  constexpr std::chrono::milliseconds kSameInterrupt{250};
  const auto now = std::chrono::steady_clock::now();
  if (signal == SIGINT && now - part_ended_ < kSameInterrupt) return true;
  if (!stop_.request_stop()) return now - stopped_ < kSameInterrupt;
  stopped_ = now;
  return true;
}

bool Interrupt::is_stopping() {
  const std::scoped_lock lock(mutex_);
  const bool is_part_stopping = is_in_part_ && part_.stop_requested();
  return is_part_stopping || (stop_.stop_requested() && !work_ended_);
}

bool Interrupt::is_showing() {
  const std::scoped_lock lock(mutex_);
  return stop_.stop_requested() && work_ended_;
}

std::stop_token Interrupt::begin_part() {
  const std::scoped_lock lock(mutex_);
  has_parts_ = is_in_part_ = true;
  part_ = std::stop_source();
  if (stop_.stop_requested()) part_.request_stop();
  return part_.get_token();
}

void Interrupt::end_part() {
  const std::scoped_lock lock(mutex_);
  has_parts_ = true;
  is_in_part_ = false;
}

void Interrupt::end_part_before_rest() {
  const std::scoped_lock lock(mutex_);
  has_parts_ = is_in_part_ = false;
  part_ended_ = std::chrono::steady_clock::now();
}

}  // namespace komuz::cli
