// SPDX-License-Identifier: Apache-2.0
#include "cli/editor/connect.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

namespace komuz::cli {
namespace {

// One direction. Bytes are read only when those before are written, so neither side is read faster than the other one takes.
class Pipe {
 public:
  Pipe(int from, int to) : from_(from), to_(to) {}

  [[nodiscard]] pollfd wanted() const {
    if (!is_open_) return {-1, 0, 0};
    return begin_ == end_ ? pollfd{from_, POLLIN, 0} : pollfd{to_, POLLOUT, 0};
  }
  // The file that was waited for is ready.
  void go_on() {
    if (begin_ == end_) {
      const ssize_t count = ::read(from_, bytes_.data(), bytes_.size());
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
      begin_ = 0;
      end_ = static_cast<size_t>(std::max<ssize_t>(count, 0));
      is_open_ = count > 0;
      return;
    }
    // A pipe that is ready takes so many bytes at once.
    const size_t most = std::min<size_t>(end_ - begin_, PIPE_BUF);
    const ssize_t count = ::write(to_, bytes_.data() + begin_, most);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count < 0) is_open_ = false;
    begin_ += static_cast<size_t>(std::max<ssize_t>(count, 0));
  }
  [[nodiscard]] bool is_open() const { return is_open_; }

 private:
  int from_, to_;
  std::array<char, size_t{1} << 16> bytes_{};
  size_t begin_ = 0, end_ = 0;  // what is not written yet
  bool is_open_ = true;
};

}  // namespace

Problem connect_streams(u16 port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  here.sin_port = htons(port);
  if (socket < 0 || connect(socket, reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0) {
    const std::string why = std::strerror(errno);
    if (socket >= 0) close(socket);
    return input_problem({}, "cannot connect to port " + std::to_string(port) + ": " + why,
                         "say `:lsp " + std::to_string(port) + "` in `komuz repl`");
  }
  Pipe to_session(STDIN_FILENO, socket), from_session(socket, STDOUT_FILENO);
  bool is_half_closed = false;
  while (from_session.is_open()) {
    pollfd waited[] = {to_session.wanted(), from_session.wanted()};
    if (poll(waited, std::size(waited), -1) < 0 && errno != EINTR) break;
    if (waited[0].revents != 0) to_session.go_on();
    if (waited[1].revents != 0) from_session.go_on();
    if (!to_session.is_open() && !std::exchange(is_half_closed, true)) shutdown(socket, SHUT_WR);
  }
  close(socket);
  return {};
}

}  // namespace komuz::cli
