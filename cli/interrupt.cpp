// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <ctime>

#include "cli/exit_codes.h"

namespace komuz::cli {

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  // Threads inherit the mask: none but the waiter sees these signals.
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  waiter_ = std::jthread([this](const std::stop_token& done) {
    while (!done.stop_requested()) {
      constexpr timespec kPatience = {.tv_sec = 0, .tv_nsec = 20'000'000};
      if (sigtimedwait(&signals_, nullptr, &kPatience) < 0) continue;
      if (!stop_.request_stop()) _exit(static_cast<int>(Exit::Interrupted));
    }
  });
}

Interrupt::~Interrupt() {
  waiter_.request_stop();
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace komuz::cli
