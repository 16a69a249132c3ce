// SPDX-License-Identifier: Apache-2.0
// Files that are read as a whole and may be long: up to a limit, so that one without an end (a device, a pipe) is refused, with
// progress, and until a stop is requested.
#pragma once
#include "cli/files/files.h"
#include "engine/support/watch.h"

namespace komuz::cli {

// What files of a kind hold at most.
struct FileLimit {
  std::string_view kind;  // "a file of cases"
  size_t bytes;
  // Of a line, with its end; what comes behind a longer one is not read, as the reader of the text refuses it. 0: any.
  size_t line = 0;
};
inline constexpr FileLimit kCasesLimit = {"a file of cases", size_t{1} << 32, size_t{1} << 21};
// A source of 16 MiB makes less.
inline constexpr FileLimit kCodeLimit = {"a program", size_t{1} << 28};
inline constexpr FileLimit kScriptLimit = {"a script", size_t{1} << 26};

// `-` is standard input. Where the watch asks for a stop, also while nobody writes anything, it is no error that the rest has not
// been read: who asked knows.
Problem read_whole_file(const std::string& path, const FileLimit& limit, const engine::Watch& watch,
                        std::string& out);

}  // namespace komuz::cli
