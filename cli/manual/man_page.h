// SPDX-License-Identifier: Apache-2.0
// Man pages of the commands, in the language of man(7), from the tables of `--help`.
#pragma once
#include <string>

#include "cli/commands/command.h"

namespace komuz::cli {

// komuz(1): the commands, exit codes and environment.
[[nodiscard]] std::string man_page();
// komuz-eval(1), …
[[nodiscard]] std::string man_page(const Command& command);

}  // namespace komuz::cli
