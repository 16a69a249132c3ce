// SPDX-License-Identifier: Apache-2.0
// Long work on programs, one after the other: with a progress bar, until it is interrupted.
#pragma once
#include <functional>
#include <span>
#include <string>

#include "cli/terminal/terminal.h"
#include "engine/support/watch.h"

namespace komuz::cli {

// Calls `work` for each path. The first exit that is no success is that of the whole, unless `exit` is none already; an interrupt
// ends all, and is said.
using WorkOnProgram = std::function<Exit(const std::string& path, const engine::Watch& watch)>;
[[nodiscard]] Exit work_on_each(std::span<const std::string> paths, Terminal& terminal, Exit exit,
                                const WorkOnProgram& work);

}  // namespace komuz::cli
