// SPDX-License-Identifier: Apache-2.0
// Files that a command will write, looked at before the work: said now, not after it.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "cli/files.h"

namespace komuz::cli {

struct Output {
  std::string option;          // as the user wrote it: "--json"
  std::string path;            // empty: it is not asked for
  bool may_be_stdout = false;  // as `-`
  bool is_drawing = false;     // SVG
};
// None of the outputs may be one of the inputs, or another output, whatever it is called, and each can be written.
[[nodiscard]] MaybeFileError check_outputs(std::span<const Output> outputs,
                                           std::span<const std::string> inputs);

}  // namespace komuz::cli
