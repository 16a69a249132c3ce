// SPDX-License-Identifier: Apache-2.0
// What shells complete: scripts that are made of the tables of commands and options, so that they know all of these and nothing else.
// They ask nobody, but for the names of files.
#pragma once
#include <string>

#include "cli/commands/command.h"

namespace komuz::cli {

[[nodiscard]] std::string bash_completions();
[[nodiscard]] std::string zsh_completions();
[[nodiscard]] std::string fish_completions();

// In quotes that bash, zsh and fish take alike, if there is no `'` and no `\` in it; these are taken out of them.
[[nodiscard]] std::string quoted_for_shell(std::string_view text);
// "a b c"
[[nodiscard]] std::string joined_words(const std::vector<std::string>& words);
// The options of a command, and `--help`.
[[nodiscard]] std::vector<OptionRow> options_of(const Command& command);
// "--name", "-n"; empty: it has no short one.
[[nodiscard]] std::string long_option(const OptionRow& option);
[[nodiscard]] std::string short_option(const OptionRow& option);

}  // namespace komuz::cli
