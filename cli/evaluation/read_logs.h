// SPDX-License-Identifier: Apache-2.0
// The logs that a command names, joined.
#pragma once
#include <span>
#include <string>

#include "cli/files/outputs.h"
#include "cli/process/args.h"
#include "engine/log/merge_logs.h"

namespace komuz::cli {

// Reads those that stand on the command line, with `--partial` as parts. None of the outputs may be one of them, nor a
// file that their run was made of. Says what is wrong; Ctrl-C ends the process.
[[nodiscard]] Exit read_logs(const Args& args, std::span<const Output> outputs, Terminal& terminal,
                             engine::MergedLogs& logs, engine::Results& results);

}  // namespace komuz::cli
