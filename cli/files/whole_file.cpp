// SPDX-License-Identifier: Apache-2.0
#include "cli/files/whole_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>

#include "base/counts.h"
#include "cli/process/stop_pipe.h"
#include "engine/cases/unpack.h"

namespace komuz::cli {
namespace {

Problem too_long(const std::string& path, const FileLimit& limit) {
  return input_problem({},
                       path + " is longer than " + counted(limit.bytes, "byte") +
                           ", the most that " + std::string(limit.kind) + " may have",
                       "is it the right file? A device, such as /dev/zero, has no end");
}

// Waits until there are bytes to read, or the end, or a stop is requested. Input other than files may keep a reader
// waiting.
class Waiter {
 public:
  Waiter(int fd, const std::stop_token& stop) : fd_(fd), woken_(stop) {}
  void wait() const {
    pollfd waited[] = {{fd_, POLLIN, 0}, {woken_.readable_end(), POLLIN, 0}};
    while (poll(waited, std::size(waited), -1) < 0 && errno == EINTR) {
    }
  }

 private:
  int fd_;
  StopPipe woken_;
};

Problem read_open(int fd, const std::string& path, const FileLimit& limit,
                  const engine::Watch& watch, std::string& out) {
  struct stat status {};
  const bool has_size = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = has_size ? static_cast<size_t>(status.st_size) : 0;
  if (size > limit.bytes) return too_long(path, limit);
  constexpr size_t kStep = size_t{1} << 18;
  constexpr size_t kPadding = 256;  // for the reader of the text
  std::optional<Waiter> waiter;
  if (!has_size) waiter.emplace(fd, watch.stop());
  // Allocates at once if the size is known, plus one byte, which detects the end.
  out.reserve(size + 1 + kPadding);
  size_t used = 0, line = 0;
  engine::WatchedLoop loop(watch, size, "bytes", kStep);
  while (!loop.is_stopped(used)) {
    if (out.size() == used) out.resize(std::min(limit.bytes + 1, used + kStep));
    if (waiter) waiter->wait();
    if (watch.is_stopped()) break;
    const ssize_t got = read(fd, out.data() + used, std::min(out.size() - used, kStep));
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return services::system_error("read", path);
    if (got == 0) break;
    const std::string_view piece(out.data() + used, static_cast<size_t>(got));
    used += piece.size();
    if (used > limit.bytes) return too_long(path, limit);
    if (const size_t end = piece.find_last_of("\r\n"); end != std::string_view::npos)
      line = used - piece.size() + end + 1;
    // What is packed has no lines.
    if (limit.line != 0 && used - line > limit.line && !engine::is_gzip(out)) break;
  }
  out.resize(used);
  return {};
}

}  // namespace

Problem read_whole_file(const std::string& path, const FileLimit& limit, const engine::Watch& watch,
                        std::string& out) {
  out.clear();
  if (services::is_folder(path))
    return input_problem({}, path + " is a folder", "name a file in it");
  // A named pipe is opened at once, whether or not it has a writer.
  const int fd = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return services::system_error("read", path);
  const struct Closed {
    int fd;
    ~Closed() {
      if (fd > STDERR_FILENO) close(fd);
    }
  } closed{fd};
  return read_open(fd, path, limit, watch, out);
}

}  // namespace komuz::cli
