// SPDX-License-Identifier: Apache-2.0
// The commands of the executable: a row for each, which the dispatcher and the help read.
#pragma once
#include <span>
#include <string_view>

#include "cli/process/args.h"
#include "cli/terminal/terminal.h"

namespace komuz::cli {

// The words that completions offer before `--`, and how many of them.
struct Arguments {
  Offer offer = {};
  u32 most = ~u32{0};
};

struct Command {
  std::string_view name;
  std::string_view summary;   // a line, for the list of commands
  std::string_view usage;     // lines of `komuz name …`
  std::string_view examples;  // and their output
  Arguments arguments = {};
  std::span<const OptionRow> options;
  Exit (*run)(Args& args, Terminal& terminal);
};

extern const Command kReplCommand;
extern const Command kLspCommand;
extern const Command kRunCommand;
extern const Command kCheckCommand;
extern const Command kTestCommand;
extern const Command kEqualCommand;
extern const Command kOptimiseCommand;
extern const Command kProposeCommand;
extern const Command kCorpusCommand;
extern const Command kFmtCommand;
extern const Command kFixCommand;
extern const Command kExplainCommand;
extern const Command kDocCommand;
extern const Command kEvalCommand;
extern const Command kShardsCommand;
extern const Command kMergeCommand;
extern const Command kReportCommand;
extern const Command kSearchCommand;
extern const Command kFitCommand;
extern const Command kSketchCommand;
extern const Command kFillCommand;
extern const Command kImportCommand;
extern const Command kBuildCommand;
extern const Command kExportCommand;
extern const Command kDumpCommand;
extern const Command kDevicesCommand;
extern const Command kModelCommand;
extern const Command kCompletionsCommand;
extern const Command kHelpCommand;
extern const Command kVersionCommand;

// In the order of the help.
inline constexpr const Command* kCommands[] = {
    &kFitCommand,     &kEvalCommand,     &kSearchCommand,      &kShardsCommand, &kMergeCommand,
    &kReportCommand,  &kSketchCommand,   &kFillCommand,        &kExportCommand, &kImportCommand,
    &kReplCommand,    &kLspCommand,      &kRunCommand,         &kCheckCommand,  &kTestCommand,
    &kEqualCommand,   &kOptimiseCommand, &kProposeCommand,     &kCorpusCommand, &kFmtCommand,
    &kFixCommand,     &kExplainCommand,  &kDocCommand,         &kBuildCommand,  &kDumpCommand,
    &kDevicesCommand, &kModelCommand,    &kCompletionsCommand, &kHelpCommand,   &kVersionCommand,
};

}  // namespace komuz::cli
