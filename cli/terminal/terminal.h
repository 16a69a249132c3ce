// SPDX-License-Identifier: Apache-2.0
// The two streams that a command writes to, and their abilities.
#pragma once
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "cli/process/args.h"
#include "cli/process/exit_codes.h"
#include "services/excerpt.h"
#include "services/options/common_options.h"

namespace komuz::cli {

// One of the standard streams. Uses colours only on a terminal, and not if NO_COLOR is set.
class Stream {
 public:
  static constexpr u32 kPipeWidth = 100;  // columns, if their number is unknown

  // `before`: a stream that is flushed first, so that the lines of both appear in the order of writing on a shared
  // pipe or terminal.
  explicit Stream(std::FILE* file, Stream* before = nullptr);

  void write(std::string_view text);
  void flush();
  // False once a write has failed: the disk is full, the reader is gone.
  [[nodiscard]] bool good() const { return good_; }
  // False if a write failed because the reader is gone, as in `komuz eval … | head -1`.
  [[nodiscard]] bool has_reader() const { return has_reader_; }
  [[nodiscard]] bool is_terminal() const { return is_terminal_; }
  [[nodiscard]] services::RenderStyle style() const;
  // The width of a terminal; a pipe has none.
  [[nodiscard]] std::optional<u32> columns() const;

 private:
  void note(bool is_written);

  std::FILE* file_;
  Stream* before_;
  bool is_terminal_ = false;
  bool good_ = true, has_reader_ = true;
};

// For commands that may take long; main() reads it.
using services::kMemoryOption;
using services::kProgressOption;

class Terminal {
 public:
  Terminal();

  Stream out;
  Stream err;
  // Without a terminal: how often a long run reports its progress (`--progress`); none: never.
  std::optional<std::chrono::milliseconds> progress_pause;
  // The start of the command, from which progress lines count time; none: each piece of work counts its own.
  std::optional<std::chrono::steady_clock::time_point> began;
  // A thread is still at work that nobody waits for: main() ends the process without it.
  bool ends_at_once = false;

  // "komuz: error: message", with a remedy if one is known.
  void error(std::string_view message, std::string_view remedy = {});
  // The same for messages that are no errors. A warning is about an unexpected effect.
  void warning(std::string_view message, std::string_view remedy = {});
  void note(std::string_view message, std::string_view remedy = {});
  // The same, and returns Exit::Usage; refers to the command's help.
  [[nodiscard]] Exit usage_error(std::string_view command, std::string_view message);
  [[nodiscard]] Exit input_error(std::string_view message, std::string_view remedy = {});

 private:
  void say(std::string_view word, std::string_view color, std::string_view message,
           std::string_view remedy);
};

}  // namespace komuz::cli
