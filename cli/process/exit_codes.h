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
  Interrupted = 130,
};

struct ExitRow {
  Exit code;
  std::string_view meaning;
};
inline constexpr ExitRow kExitRows[] = {
    {Exit::Success, "all is well"},
    {Exit::Failure,
     "a program failed: it has errors, a test failed, it trapped, no candidate has a score, or\n"
     "       it is not as `fmt` or `fix` wants it, by `--check` or `--diff`"},
    {Exit::Usage,
     "the command line asks for something that does not exist, or whose parts do not go together"},
    {Exit::InputOutput,
     "a file or stream could not be read or written, or is not what it should be"},
    {Exit::Device, "the GPU that was asked for is not there, or it failed"},
    {Exit::Memory,
     "the memory is full that the process may have; what was done until then has been printed"},
    {Exit::Interrupted,
     "interrupted (Ctrl-C); of a long run what was done until then has been printed"},
};

}  // namespace komuz::cli
