// SPDX-License-Identifier: Apache-2.0
#include "cli/session/raw_terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>

namespace komuz::cli {

namespace {

constexpr int kSignals[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGHUP, SIGQUIT};
// A paste comes between marks, so that it is not taken for keys.
constexpr std::string_view kPasteMarksOn = "\x1b[?2004h", kPasteMarksOff = "\x1b[?2004l";

}  // namespace

TerminalSignals::TerminalSignals() {
  sigemptyset(&signals_);
  for (const int signal : kSignals) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  file_ = signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
}
TerminalSignals::~TerminalSignals() {
  if (file_ >= 0) close(file_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}
// Resizes, and continuations after a stop, are then ignored.
void TerminalSignals::release() { pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }
void TerminalSignals::hold() { pthread_sigmask(SIG_BLOCK, &signals_, nullptr); }

// Sets the terminal as it was, without these flags. Input that was already typed stays.
bool RawTerminal::set(tcflag_t local_flags_off, tcflag_t input_flags_off) {
  termios changed = before_;
  changed.c_iflag &= ~input_flags_off;
  changed.c_lflag &= ~local_flags_off;
  changed.c_cc[VMIN] = 1;
  changed.c_cc[VTIME] = 0;
  return tcsetattr(STDIN_FILENO, TCSADRAIN, &changed) == 0;
}

bool RawTerminal::enter() {
  const std::scoped_lock lock(changing_);
  if (mode_ == Mode::Raw) return true;
  signals_.hold();
  if (mode_ == Mode::Left && tcgetattr(STDIN_FILENO, &before_) != 0) return false;
  if (!set(ECHO | ICANON | ISIG | IEXTEN, BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | IXON))
    return false;
  mode_ = Mode::Raw;
  write(kPasteMarksOn);
  return true;
}

void RawTerminal::run() {
  const std::scoped_lock lock(changing_);
  if (mode_ != Mode::Raw || !set(ECHO | ICANON, ICRNL | INLCR | IGNCR | ISTRIP)) return;
  mode_ = Mode::Running;
  write(kPasteMarksOff);
  signals_.release();
}

void RawTerminal::leave() {
  const std::scoped_lock lock(changing_);
  if (mode_ == Mode::Left) return;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  if (mode_ == Mode::Raw) {
    write(kPasteMarksOff);
    signals_.release();
  }
  mode_ = Mode::Left;
}

// Stays locked. The holder of the lock may wait for a terminal whose output was stopped; this function must not.
void RawTerminal::restore() {
  constexpr std::chrono::milliseconds kPatience(200);
  static_cast<void>(changing_.try_lock_for(kPatience));
  if (mode_ == Mode::Left) return;
  tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  static_cast<void>(!::write(STDOUT_FILENO, kPasteMarksOff.data(), kPasteMarksOff.size()));
}

RawTerminal::Event RawTerminal::take_signal() {
  signalfd_siginfo signal{};
  if (read(signals_.readable_end(), &signal, sizeof signal) != sizeof signal) return Event::Pause;
  switch (signal.ssi_signo) {
    case SIGWINCH: return Event::Resized;
    case SIGTSTP: return Event::Suspend;
    case SIGCONT: return Event::Resumed;
    default: return Event::Ended;
  }
}

RawTerminal::Event RawTerminal::wait(int pause, int also, std::string& bytes) {
  for (;;) {
    pollfd waited[] = {{STDIN_FILENO, POLLIN, 0},
                       {signals_.readable_end(), POLLIN, 0},
                       {stop_.readable_end(), POLLIN, 0},
                       {also, POLLIN, 0}};
    const int ready = poll(waited, std::size(waited), pause);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return Event::Pause;
    if (ready < 0 || waited[2].revents != 0) return Event::Ended;
    if (waited[1].revents != 0) return take_signal();
    if (waited[0].revents == 0 && waited[3].revents != 0) return Event::Called;
    bytes.resize(size_t{1} << 16);
    const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    bytes.resize(count < 0 ? 0 : static_cast<size_t>(count));
    return count > 0 ? Event::Keys : Event::Ended;
  }
}

// The terminal may be gone, or slow.
void RawTerminal::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno == EAGAIN) {
      pollfd waited{STDOUT_FILENO, POLLOUT, 0};
      static_cast<void>(poll(&waited, 1, -1));
      continue;
    }
    if (count < 0 && errno != EINTR) return;
    bytes.remove_prefix(static_cast<size_t>(std::max<ssize_t>(count, 0)));
  }
}

// The signals are released, since pending ones would stop or wake the process once more.
void RawTerminal::suspend() {
  leave();
  raise(SIGTSTP);
}

editor::ScreenSize RawTerminal::size() const {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    return {};
  return {size.ws_col, size.ws_row};
}

}  // namespace komuz::cli
