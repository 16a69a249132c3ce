// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <ctime>
#include <string_view>

#include "cli/exit_codes.h"

namespace komuz::cli {

namespace {

[[noreturn]] void give_up() {
  constexpr std::string_view kMessage =
      "error: interrupted; the work did not stop within three seconds, and nothing of it is "
      "shown\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(static_cast<int>(Exit::Interrupted));
}

}  // namespace

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  // Threads inherit the mask: none but the waiter sees these signals.
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  waiter_ = std::jthread([this](const std::stop_token& done) {
    constexpr timespec kStep = {.tv_sec = 0, .tv_nsec = 20'000'000};
    constexpr int kPatience = 150;  // steps
    int steps_since = 0;
    while (!done.stop_requested()) {
      const bool signalled = sigtimedwait(&signals_, nullptr, &kStep) > 0;
      if (done.stop_requested()) return;
      const bool again = signalled && !stop_.request_stop();
      if (stop_.stop_requested() && !work_ended_) ++steps_since;
      if (again) _exit(static_cast<int>(Exit::Interrupted));
      if (steps_since > kPatience) give_up();
    }
  });
}

Interrupt::~Interrupt() {
  waiter_.request_stop();
  pthread_kill(waiter_.native_handle(), SIGINT);  // it need not wait out its step
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace komuz::cli
