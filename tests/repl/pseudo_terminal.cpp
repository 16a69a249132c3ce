// SPDX-License-Identifier: Apache-2.0
#include "tests/repl/pseudo_terminal.h"

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <vterm.h>

#include <chrono>
#include <csignal>
#include <map>
#include <thread>
#include <utility>

namespace komuz::test {

namespace {

winsize to_winsize(editor::ScreenSize size) {
  winsize out{};
  out.ws_col = static_cast<unsigned short>(size.columns);
  out.ws_row = static_cast<unsigned short>(size.rows);
  return out;
}

void append_character(std::string& out, u32 code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// An attribute says more than a colour: `_` underlined, `#` reverse, `*` bold.
char style_letter(const VTermScreenCell& cell) {
  if (cell.attrs.reverse != 0) return '#';
  if (cell.attrs.underline != 0) return '_';
  constexpr std::string_view kColors = "krgybmcwK";
  if (!VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) && VTERM_COLOR_IS_INDEXED(&cell.fg) &&
      cell.fg.indexed.idx < kColors.size())
    return kColors[cell.fg.indexed.idx];
  return cell.attrs.bold != 0 ? '*' : ' ';
}

// Behind the last character that is whole.
size_t end_of_characters(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && text.size() - begin < 3 && (text[begin - 1] & 0xC0) == 0x80) --begin;
  if (begin == 0) return text.size();
  const auto first = static_cast<u8>(text[begin - 1]);
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  return text.size() - begin + 1 < length ? begin - 1 : text.size();
}

void drop_blanks(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

}  // namespace

PseudoTerminal::PseudoTerminal(editor::ScreenSize size, const std::vector<std::string>& command,
                               const std::vector<std::string>& environment)
    : size_(size),
      terminal_(vterm_new(static_cast<int>(size.rows), static_cast<int>(size.columns))),
      screen_(vterm_obtain_screen(terminal_)) {
  vterm_set_utf8(terminal_, 1);
  vterm_screen_reset(screen_, 1);
  winsize window = to_winsize(size);
  // The modes of a new terminal, before the program can have changed them.
  int other = -1, other_end = -1;
  if (openpty(&other, &other_end, nullptr, nullptr, nullptr) == 0) {
    tcgetattr(other_end, &first_modes_);
    close(other);
    close(other_end);
  }
  child_ = forkpty(&file_, nullptr, &first_modes_, &window);
  if (child_ != 0) return;
  std::vector<char*> words, variables;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  for (const std::string& variable : environment)
    variables.push_back(const_cast<char*>(variable.c_str()));
  words.push_back(nullptr);
  variables.push_back(nullptr);
  if (chdir(KOMUZ_SOURCE_DIR) == 0) execve(words[0], words.data(), variables.data());
  _exit(127);
}

PseudoTerminal::~PseudoTerminal() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  if (file_ >= 0) close(file_);
  vterm_free(terminal_);
}

void PseudoTerminal::send(std::string_view bytes) {
  while (!bytes.empty()) {
    // The program's output has to be taken, so that the program goes on reading.
    pollfd waited{file_, POLLIN | POLLOUT, 0};
    if (poll(&waited, 1, 10'000) <= 0) return;
    if ((waited.revents & POLLIN) != 0) static_cast<void>(read(0));
    if ((waited.revents & POLLOUT) == 0) continue;
    const ssize_t count = write(file_, bytes.data(), std::min<size_t>(bytes.size(), 512));
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

void PseudoTerminal::show(std::string_view bytes) {
  vterm_input_write(terminal_, bytes.data(), bytes.size());
}

void PseudoTerminal::resize(editor::ScreenSize size) {
  size_ = size;
  vterm_set_size(terminal_, static_cast<int>(size.rows), static_cast<int>(size.columns));
  const winsize window = to_winsize(size);
  ioctl(file_, TIOCSWINSZ, &window);
}

void PseudoTerminal::signal(int number) const { kill(child_, number); }

bool PseudoTerminal::read(int milliseconds) {
  pollfd waited{file_, POLLIN, 0};
  if (poll(&waited, 1, milliseconds) <= 0 || (waited.revents & POLLIN) == 0) return false;
  char bytes[4096];
  const ssize_t count = ::read(file_, bytes, sizeof bytes);
  if (count <= 0) return false;
  written_.append(bytes, static_cast<size_t>(count));
  // libvterm 0.1.4 shows the halves of a character that comes in two pieces.
  unshown_.append(bytes, static_cast<size_t>(count));
  const size_t end = end_of_characters(unshown_);
  vterm_input_write(terminal_, unshown_.data(), end);
  unshown_.erase(0, end);
  return true;
}

int PseudoTerminal::wait_for_end() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < end) {
    while (read(0)) {
    }
    int status = 0;
    if (waitpid(child_, &status, WNOHANG) == child_) {
      child_ = -1;
      while (read(0)) {
      }
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return -1;
}

termios PseudoTerminal::modes() const {
  termios modes{};
  tcgetattr(file_, &modes);
  return modes;
}

std::string PseudoTerminal::screen(bool has_styles) const {
  std::string shown, pending;
  for (u32 row = 0; row < size_.rows; ++row) {
    std::string text, styles;
    for (u32 column = 0; column < size_.columns;) {
      VTermScreenCell cell{};
      vterm_screen_get_cell(screen_, {static_cast<int>(row), static_cast<int>(column)}, &cell);
      for (size_t k = 0; k < VTERM_MAX_CHARS_PER_CELL && cell.chars[k] != 0; ++k)
        append_character(text, cell.chars[k]);
      if (cell.chars[0] == 0) text += ' ';
      const u32 width = std::max<u32>(static_cast<u32>(cell.width), 1);
      styles.append(width, style_letter(cell));
      column += width;
    }
    drop_blanks(text);
    drop_blanks(styles);
    pending += "|" + text + "\n";
    if (has_styles && !styles.empty()) pending += ":" + styles + "\n";
    if (!text.empty()) shown += std::exchange(pending, {});
  }
  VTermPos cursor{};
  vterm_state_get_cursorpos(vterm_obtain_state(terminal_), &cursor);
  return shown + "cursor " + std::to_string(cursor.row + 1) + " " + std::to_string(cursor.col + 1) +
         "\n";
}

std::string bytes_of_key(std::string_view name) {
  static const std::map<std::string_view, std::string_view> kNamed = {{"Enter", "\r"},
                                                                      {"Tab", "\t"},
                                                                      {"Escape", "\x1b"},
                                                                      {"Backspace", "\x7f"},
                                                                      {"Up", "\x1b[A"},
                                                                      {"Down", "\x1b[B"},
                                                                      {"Right", "\x1b[C"},
                                                                      {"Left", "\x1b[D"},
                                                                      {"Home", "\x1b[H"},
                                                                      {"End", "\x1b[F"},
                                                                      {"Delete", "\x1b[3~"},
                                                                      {"Shift-Tab", "\x1b[Z"},
                                                                      {"Space", " "},
                                                                      {"Ctrl-Left", "\x1b[1;5D"},
                                                                      {"Ctrl-Right", "\x1b[1;5C"},
                                                                      {"Ctrl-Home", "\x1b[1;5H"},
                                                                      {"Ctrl-End", "\x1b[1;5F"},
                                                                      {"PageUp", "\x1b[5~"}};
  const auto found = kNamed.find(name);
  if (found != kNamed.end()) return std::string(found->second);
  if (name.starts_with("Alt-")) {
    const std::string rest = bytes_of_key(name.substr(4));
    return rest.empty() ? rest : "\x1b" + rest;
  }
  if (name.starts_with("Ctrl-") && name.size() == 6)
    return std::string(1, static_cast<char>(name[5] & 0x1F));
  if (name.size() != 1) return {};
  return std::string(
      1, name[0] >= 'A' && name[0] <= 'Z' ? static_cast<char>(name[0] - 'A' + 'a') : name[0]);
}

}  // namespace komuz::test
