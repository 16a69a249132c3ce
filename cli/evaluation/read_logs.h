// SPDX-License-Identifier: Apache-2.0
// Reads the logs that a command names, and joins them.
#pragma once
#include <span>
#include <string>

#include "cli/files/outputs.h"
#include "cli/process/args.h"
#include "engine/log/merge_logs.h"

namespace komuz::cli {

// Reads logs. Reports faults. Ctrl-C ends the process.
[[nodiscard]] Exit read_logs(std::span<const std::string> paths, engine::MergedLogs::Take take,
                             Terminal& terminal, engine::MergedLogs& logs,
                             engine::Results& results);
// Reads the logs of the command line; with `--partial` they are parts. No output may be one of the logs, nor an input
// file of their run.
[[nodiscard]] Exit read_logs(const Args& args, std::span<const Output> outputs, Terminal& terminal,
                             engine::MergedLogs& logs, engine::Results& results);

}  // namespace komuz::cli
