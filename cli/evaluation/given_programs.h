// SPDX-License-Identifier: Apache-2.0
// The programs of `--start`, with which a search begins.
#pragma once
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "cli/terminal/terminal.h"
#include "engine/sketch/encode/find_starts.h"

namespace komuz::cli {

// Files of programs, folders of them, JSONL.
Problem read_given_programs(std::span<const std::string> paths, const std::stop_token& stop,
                            std::vector<engine::GivenProgram>& out);
// What the header of a log says of them, as JSON; empty: there are none.
[[nodiscard]] std::string given_text(std::span<const engine::GivenProgram> given);
// A note on those that the sketch does not hold, and on those that have no room. `remedy`: of the first.
void say_starts(const engine::Starts& starts, std::string_view remedy, Terminal& terminal);

}  // namespace komuz::cli
