// SPDX-License-Identifier: Apache-2.0
// The exit codes of commands. docs/cli.md and `komuz help exit-codes` show this table.
#pragma once
#include <string_view>

namespace komuz::cli {

enum class Exit : int {
  Success = 0,
  Failure = 1,
  Usage = 2,
  InputOutput = 3,
  Device = 4,
  Memory = 5,
  Unproved = 6,
  Interrupted = 130,
};

struct ExitRow {
  Exit code;
  std::string_view meaning;
};
inline constexpr ExitRow kExitRows[] = {
    {Exit::Success, "success"},
    {Exit::Failure,
     "a program failed: it has errors, a test failed, it trapped, no candidate has a score, "
     "`equal`\n"
     "       found a difference, or `fmt` or `fix` would change it, with `--check` or `--diff`"},
    {Exit::Usage,
     "the command line names something that does not exist, or combines what does not fit"},
    {Exit::InputOutput, "a file or stream could not be read or written, or has the wrong content"},
    {Exit::Device, "the GPU or the backend that was asked for is not there, or it failed"},
    {Exit::Memory, "the memory of the process is full; the results until then have been printed"},
    {Exit::Unproved, "`equal` found neither a difference nor a proof"},
    {Exit::Interrupted, "interrupted (Ctrl-C); a long run has printed its results until then"},
};

}  // namespace komuz::cli
