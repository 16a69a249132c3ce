// SPDX-License-Identifier: Apache-2.0
// A program on a terminal of its own, and the content of its screen.
#pragma once
#include <sys/types.h>
#include <termios.h>

#include <string>
#include <string_view>
#include <vector>

#include "repl/editor/layout.h"

struct VTerm;
struct VTermScreen;

namespace komuz::test {

class PseudoTerminal {
 public:
  // `environment`: the complete list of "NAME=VALUE".
  PseudoTerminal(editor::ScreenSize size, const std::vector<std::string>& command,
                 const std::vector<std::string>& environment);
  ~PseudoTerminal();  // kills it
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  void send(std::string_view bytes);
  // Shows the output of another program on the terminal.
  void show(std::string_view bytes);
  void resize(editor::ScreenSize size);
  void signal(int number) const;
  // Takes the program's output; false if there is none for so many milliseconds, or if the program has ended.
  bool read(int milliseconds);
  // Waits for the end of the program. Returns its exit code, or 128 plus the signal; -1 if it does not end.
  int wait_for_end();
  [[nodiscard]] termios modes() const;
  // The terminal's modes at the start of the program.
  [[nodiscard]] const termios& first_modes() const { return first_modes_; }

  // Rows as `|text`, without blanks and empty rows at the end, and `cursor ROW COLUMN`, both from 1. `has_styles`: a
  // row with styles is followed by `:` and a letter for each column: the colour, or the attribute.
  [[nodiscard]] std::string screen(bool has_styles) const;
  // The whole output so far.
  [[nodiscard]] const std::string& written() const { return written_; }

 private:
  editor::ScreenSize size_;
  termios first_modes_{};
  int file_ = -1;
  pid_t child_ = -1;
  VTerm* terminal_;
  VTermScreen* screen_;
  std::string written_;
  std::string unshown_;  // the start of a character
};

// The bytes that a terminal sends for "Ctrl-A", "Alt-Enter", "Up". Empty if there is no such key.
[[nodiscard]] std::string bytes_of_key(std::string_view name);

}  // namespace komuz::test
