// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "services/display_text.h"

namespace komuz::cli {
namespace {

constexpr u32 kMostWidth = 120;

bool colors_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool is_plain = !term || *term == '\0' || std::string_view(term) == "dumb";
  return (!no_color || *no_color == '\0') && !is_plain;
}

}  // namespace

Stream::Stream(std::FILE* file, Stream* before)
    : file_(file), before_(before), is_terminal_(isatty(fileno(file)) == 1) {}

void Stream::write(std::string_view text) {
  if (text.empty()) return;
  if (before_ != nullptr) before_->flush();
  if (good_) note(std::fwrite(text.data(), 1, text.size(), file_) == text.size());
}

void Stream::flush() {
  if (good_) note(std::fflush(file_) == 0);
}

void Stream::note(bool is_written) {
  good_ = is_written;
  has_reader_ = is_written || errno != EPIPE;
}

std::optional<u32> Stream::columns() const {
  if (!is_terminal_) return std::nullopt;
  winsize size{};
  if (ioctl(fileno(file_), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kPipeWidth;
  return size.ws_col;
}

services::RenderStyle Stream::style() const {
  return {.colors = is_terminal_ && colors_wanted(),
          .width = std::min(columns().value_or(kPipeWidth), kMostWidth),
          .wraps = is_terminal_};
}

Terminal::Terminal() : out(stdout), err(stderr, &out) {}

void Terminal::say(std::string_view word, std::string_view color, std::string_view message,
                   std::string_view remedy) {
  std::string text = "komuz: ";
  text += color;
  text += word;
  text += services::palette(err.style()).plain;
  text += ": " + services::printable(message);
  if (!remedy.empty()) text += "\n  " + services::printable(remedy);
  err.write(text + "\n");
}

void Terminal::error(std::string_view message, std::string_view remedy) {
  say("error", services::palette(err.style()).error, message, remedy);
}

void Terminal::warning(std::string_view message, std::string_view remedy) {
  say("warning", services::palette(err.style()).warning, message, remedy);
}

void Terminal::note(std::string_view message, std::string_view remedy) {
  say("note", services::palette(err.style()).note, message, remedy);
}

Exit Terminal::usage_error(std::string_view command, std::string_view message) {
  std::string remedy = "see `komuz ";
  if (!command.empty()) remedy += std::string(command) + " ";
  error(message, remedy + "--help`");
  return Exit::Usage;
}

Exit Terminal::input_error(std::string_view message, std::string_view remedy) {
  error(message, remedy);
  return Exit::InputOutput;
}

}  // namespace komuz::cli
