// SPDX-License-Identifier: Apache-2.0
// Programs as native code (backend/backend.h) in a file.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "backend/backend.h"
#include "cli/process/args.h"
#include "cli/programs/program.h"

namespace komuz::cli {

inline constexpr OptionRow kCpuOption = {
    "cpu", "NAME", "the processor of native code, as LLVM calls it; default: x86-64"};

// The bytes of a file with the code of the function `entry`; empty: the only public one. Nothing, if it cannot be: the
// reason is on standard error, and `exit` says how the command `command` ends.
[[nodiscard]] std::optional<std::string> native_file(const Program& program, backend::Form form,
                                                     std::string_view command, const Args& args,
                                                     Terminal& terminal, Exit& exit);

}  // namespace komuz::cli
