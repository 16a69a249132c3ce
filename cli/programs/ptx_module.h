// SPDX-License-Identifier: Apache-2.0
// Programs as a module for GPUs (docs/native.md).
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/process/args.h"
#include "cli/programs/program.h"

namespace komuz::cli {

// The text of a module with a kernel for each program, of the function `--entry` or the only public one, for `--cpu`.
// Nothing, if it cannot be: the reason is on standard error, and `exit` says how the command `command` ends.
[[nodiscard]] std::optional<std::string> ptx_module(std::span<const Program> programs,
                                                    std::string_view command, Args& args,
                                                    Terminal& terminal, Exit& exit);

}  // namespace komuz::cli
