// SPDX-License-Identifier: Apache-2.0
// Text as it comes, cut into inputs: a line each, and more while a bracket is open or comments of an item stand before it; or
// all lines between one that is `:{` and one that is `:}`.
#pragma once
#include <string>
#include <string_view>

#include "frontend_gpu/frontend.h"

namespace komuz::repl {

class InputReader {
 public:
  void add(std::string_view text);
  // Forgets the input that has begun; the lines of the next one are counted on.
  void drop();
  // No more comes: what is left is an input, too.
  void end() { has_ended_ = true; }

  // The next input and the number of its first line; false: more has to come for one. It holds until `add` is called.
  [[nodiscard]] bool next(std::string_view& text, u32& line);
  // Has an input begun that needs more lines?
  [[nodiscard]] bool is_open() const { return at_ < scanned_; }
  // How many brackets are open in it.
  [[nodiscard]] i64 open_brackets() const { return brackets_; }

 private:
  [[nodiscard]] bool take_line(std::string_view& line);
  // Is nothing open behind the line?
  [[nodiscard]] bool ends_input(std::string_view line);
  bool take_input(std::string_view& text, u32& line);

  frontend::Compiler lexer_;
  std::string text_;
  size_t at_ = 0;        // of the next input
  size_t searched_ = 0;  // no line ends between the lines that are there and this
  size_t scanned_ = 0;   // behind the lines of it that are there
  i64 brackets_ = 0;     // that are open in these
  bool is_block_ = false;
  u32 line_ = 1;
  bool has_ended_ = false, has_begun_ = false;
};

}  // namespace komuz::repl
