// SPDX-License-Identifier: Apache-2.0
// Files that a command will write, looked at before the work: said now, not after it.
#pragma once
#include <span>
#include <string>

#include "cli/terminal/terminal.h"

namespace komuz::cli {

struct Output {
  std::string option;          // as the user wrote it: "--json"
  std::string path;            // empty: it is not asked for
  bool may_be_stdout = false;  // as `-`
  bool is_drawing = false;     // SVG
  bool grows = false;          // a log: lines are added to what is there
};
// None of the outputs may be one of the inputs, or another output, whatever it is called, and each can be written. Says what is wrong:
// Exit::Usage where that is so whatever the files hold.
[[nodiscard]] Exit check_outputs(std::span<const Output> outputs,
                                 std::span<const std::string> inputs, Terminal& terminal);

// The part of it that is about inputs, for those that are known later, as modules are.
[[nodiscard]] Exit check_inputs_stay(std::span<const Output> outputs,
                                     std::span<const std::string> inputs, Terminal& terminal);

}  // namespace komuz::cli
