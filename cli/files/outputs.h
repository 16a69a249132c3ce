// SPDX-License-Identifier: Apache-2.0
// Checks the files that a command will write before its work, so that faults are reported early.
#pragma once
#include <span>
#include <string>

#include "cli/terminal/terminal.h"

namespace komuz::cli {

struct Output {
  std::string option;          // as the user wrote it: "--json"
  std::string path;            // empty: not requested
  bool may_be_stdout = false;  // as `-`
  bool is_drawing = false;     // SVG
  bool grows = false;          // a log: lines are added to what is there
};
// Checks that no output is an input or another output, whatever their names, and that each can be written. Reports
// faults; Exit::Usage if the fault does not depend on the files' contents.
[[nodiscard]] Exit check_outputs(std::span<const Output> outputs,
                                 std::span<const std::string> inputs, Terminal& terminal);

// The part of the check about inputs, for inputs that become known later, such as modules.
[[nodiscard]] Exit check_inputs_stay(std::span<const Output> outputs,
                                     std::span<const std::string> inputs, Terminal& terminal);

}  // namespace komuz::cli
