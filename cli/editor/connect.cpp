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

#include "lsp/wire/framing.h"
#include "lsp/wire/message.h"

namespace komuz::cli {
namespace {

// How an editor takes its leave, by what it says.
class Leave {
 public:
  void add(std::string_view bytes) {
    frames_.add(bytes);
    while (const auto frame = frames_.next()) {
      // Both messages are short, and documents may be long.
      constexpr size_t kMostBytes = 1024;
      if (frame->body.size() > kMostBytes) continue;
      const lsp::Message message = lsp::read_message(frame->body);
      has_shutdown_ |= message.kind == lsp::Message::Kind::Request && message.method == "shutdown";
      has_exit_ |= message.kind == lsp::Message::Kind::Notification && message.method == "exit";
    }
  }
  [[nodiscard]] bool has_exit() const { return has_exit_; }
  [[nodiscard]] bool is_orderly() const { return has_exit_ && has_shutdown_; }

 private:
  lsp::FrameReader frames_;
  bool has_shutdown_ = false, has_exit_ = false;
};

// One direction. Bytes are read only when those before are written, so neither side is read faster than the other one takes.
class Pipe {
 public:
  // `leave`: also reads what goes this way; null: nobody does.
  Pipe(int from, int to, Leave* leave) : from_(from), to_(to), leave_(leave) {}

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
      if (leave_ != nullptr) leave_->add({bytes_.data(), end_});
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
  Leave* leave_;
  std::array<char, size_t{1} << 16> bytes_{};
  size_t begin_ = 0, end_ = 0;  // what is not written yet
  bool is_open_ = true;
};

}  // namespace

Result<Connected> connect_streams(u16 port) {
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
  Leave leave;
  Pipe to_session(STDIN_FILENO, socket, &leave), from_session(socket, STDOUT_FILENO, nullptr);
  bool is_half_closed = false;
  while (from_session.is_open()) {
    pollfd waited[] = {to_session.wanted(), from_session.wanted()};
    if (poll(waited, std::size(waited), -1) < 0 && errno != EINTR) break;
    if (waited[0].revents != 0) to_session.go_on();
    if (waited[1].revents != 0) from_session.go_on();
    if (!to_session.is_open() && !std::exchange(is_half_closed, true)) shutdown(socket, SHUT_WR);
  }
  close(socket);
  if (leave.is_orderly()) return Connected::Left;
  return leave.has_exit() || is_half_closed ? Connected::Ended : Connected::Lost;
}

}  // namespace komuz::cli
