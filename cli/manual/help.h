// SPDX-License-Identifier: Apache-2.0
// The text of `--help`, from the tables of commands and their options.
#pragma once
#include <string>

#include "cli/commands/command.h"

namespace komuz::cli {

inline constexpr std::string_view kExamples =
    "  komuz eval examples/collatz --cases examples/collatz/cases.jsonl "
    "--input input1 --output output1\n"
    "  komuz run examples/tour.komuz --entry gcd -- 1071 462\n"
    "  komuz test examples/tour.komuz\n";
// All commands, one on each line.
[[nodiscard]] std::string overview();
[[nodiscard]] std::string command_help(const Command& command);

// Every command has this option, besides those of its table.
inline constexpr OptionRow kHelpOption = {"help", "", "this text", {}, 'h'};

// The two parts of `usage`: lines of `komuz name …` without their blanks, and sentences below.
struct Usage {
  std::vector<std::string_view> forms;
  std::vector<std::string_view> sentences;  // their lines
};
[[nodiscard]] Usage usage_of(const Command& command);
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace komuz::cli
