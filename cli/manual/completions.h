// SPDX-License-Identifier: Apache-2.0
// Completion scripts for shells. They are made from the tables of commands and options, so they know exactly these.
// They call no program, except to list file names.
#pragma once
#include <string>

#include "cli/commands/command.h"

namespace komuz::cli {

[[nodiscard]] std::string bash_completions();
[[nodiscard]] std::string zsh_completions();
[[nodiscard]] std::string fish_completions();

// Quotes a text for bash, zsh and fish. All of them read it alike, since `'` and `\` are removed from it.
[[nodiscard]] std::string quoted_for_shell(std::string_view text);
// "a b c"
[[nodiscard]] std::string joined_words(const std::vector<std::string>& words);
// The options of a command, and `--help`.
[[nodiscard]] std::vector<OptionRow> options_of(const Command& command);
// "--name", "-n"; empty: it has no short one.
[[nodiscard]] std::string long_option(const OptionRow& option);
[[nodiscard]] std::string short_option(const OptionRow& option);

}  // namespace komuz::cli
