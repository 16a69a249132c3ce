// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport/process_watch.h"

#include <sys/pidfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <limits>
#include <utility>

namespace komuz::lsp {
namespace {

using Error = boost::system::error_code;

// How long it takes to see that a process has ended which the system does not tell of.
constexpr std::chrono::milliseconds kBetweenLooks(500);

}  // namespace

ProcessWatch::ProcessWatch(boost::asio::io_context& loop, std::function<void()> on_end)
    : loop_(loop), on_end_(std::move(on_end)) {}

void ProcessWatch::add(i64 process) {
  if (process <= 0 || process > std::numeric_limits<pid_t>::max()) return;
  if (watched_.contains(process) || asked_.contains(process)) return;
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(process), 0));
  if (handle < 0) {
    if (errno == ESRCH) return on_end_();
    // An old system, a sandbox, no descriptor left.
    const auto asked = asked_.try_emplace(process, loop_).first;
    return ask_again(process, asked->second);
  }
  const auto watched = watched_.try_emplace(process, loop_, handle).first;
  watched->second.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                             [this](const Error& error) {
                               if (!error) on_end_();
                             });
}

void ProcessWatch::ask_again(i64 process, boost::asio::steady_timer& timer) {
  // Whoever may not send it a signal is told so, which is an answer, too.
  if (kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) return on_end_();
  timer.expires_after(kBetweenLooks);
  timer.async_wait([this, process, &timer](const Error& error) {
    if (!error) ask_again(process, timer);
  });
}

}  // namespace komuz::lsp
