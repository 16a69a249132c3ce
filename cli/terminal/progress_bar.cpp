// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/progress_bar.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace komuz::cli {
namespace {

// Opens a pipe once more: whether a write blocks is a property of the open file, which others share. Files never
// block, and are written through the shared descriptor, since positions in them are shared, too. -1: another kind,
// which must be polled.
int open_without_waiting() {
  struct stat status {};
  if (fstat(STDERR_FILENO, &status) != 0) return -1;
  if (S_ISREG(status.st_mode)) return STDERR_FILENO;
  if (!S_ISFIFO(status.st_mode)) return -1;
  return open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

// False: the write would have blocked, and was not done.
bool write_at_once(std::string_view line) {
  static const int kFile = open_without_waiting();
  if (kFile >= 0) return write(kFile, line.data(), line.size()) >= 0 || errno != EAGAIN;
  pollfd waiting{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  if (poll(&waiting, 1, 0) != 1 || (waiting.revents & POLLOUT) == 0) return false;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
  return true;
}

}  // namespace

void ProgressBar::update(const services::Progress& progress) {
  const std::scoped_lock lock(mutex_);
  const auto now = Clock::now();
  if (!stream_.is_terminal()) {
    progress_ = progress;
    has_progress_ = true;
    say_line(now);
    return;
  }
  constexpr std::chrono::milliseconds kPatience(100), kPause(50);
  if (now - last_ < (shown_ ? kPause : kPatience)) return;
  last_ = now;
  shown_ = true;
  const f64 seconds = std::chrono::duration<f64>(now - start_).count();
  const u32 columns = stream_.columns().value_or(Stream::kPipeWidth);
  stream_.write("\r\x1b[K" + services::progress_text(progress, seconds, columns - 1));
  stream_.flush();
}

void ProgressBar::tick() {
  const std::scoped_lock lock(mutex_);
  if (has_progress_) say_line(Clock::now());
}

// Another thread uses the stream, and a pipe may be full. A line that cannot be written at once is written later.
void ProgressBar::say_line(Clock::time_point now) {
  if (!pause_ || now - last_ < *pause_) return;
  const f64 seconds = std::chrono::duration<f64>(now - start_).count();
  const f64 since = std::chrono::duration<f64>(now - command_start_).count();
  const std::string line = "komuz: " + services::progress_line(progress_, seconds, since) + "\n";
  if (write_at_once(line)) last_ = now;
}

void ProgressBar::clear() {
  const std::scoped_lock lock(mutex_);
  has_progress_ = false;
  if (!shown_) return;
  stream_.write("\r\x1b[K");
  stream_.flush();
  shown_ = false;
}

}  // namespace komuz::cli
