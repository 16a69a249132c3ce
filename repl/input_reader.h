// SPDX-License-Identifier: Apache-2.0
// Cuts incoming text into inputs. An input is a line, or several while a bracket is open or comments precede an item,
// or all lines between a line `:{` and a line `:}`.
#pragma once
#include <string>
#include <string_view>

#include "frontend_gpu/frontend.h"

namespace komuz::repl {

class InputReader {
 public:
  void add(std::string_view text);
  // Drops the unfinished input; line numbers go on counting.
  void drop();
  // No more text comes: the rest is an input, too.
  void end() { has_ended_ = true; }

  // The next input and the number of its first line; false: it is incomplete. Valid until `add` is called.
  [[nodiscard]] bool next(std::string_view& text, u32& line);
  // True if an input has begun that needs more lines.
  [[nodiscard]] bool is_open() const { return at_ < scanned_; }
  // The number of open brackets in it.
  [[nodiscard]] i64 open_brackets() const { return brackets_; }

 private:
  [[nodiscard]] bool take_line(std::string_view& line);
  // True if nothing is open behind the line.
  [[nodiscard]] bool ends_input(std::string_view line);
  bool take_input(std::string_view& text, u32& line);

  frontend::Compiler lexer_;
  std::string text_;
  size_t at_ = 0;        // of the next input
  size_t searched_ = 0;  // no line ends between the known lines and this
  size_t scanned_ = 0;   // behind its known lines
  i64 brackets_ = 0;     // open in these
  bool is_block_ = false;
  u32 line_ = 1;
  bool has_ended_ = false, has_begun_ = false;
};

}  // namespace komuz::repl
