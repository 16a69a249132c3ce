// SPDX-License-Identifier: Apache-2.0
// Reads files as a whole that may be long: with progress, until a stop is requested, and up to a limit, so that an
// endless one (a device, a pipe) is refused.
#pragma once
#include "engine/support/watch.h"
#include "services/files/files.h"

namespace komuz::cli {

// Limits on files of a kind.
struct FileLimit {
  std::string_view kind;  // "a file of cases"
  size_t bytes;
  // Limit on a line, including its end. Bytes behind a longer line are not read, since the reader of the text refuses
  // it. 0: no limit.
  size_t line = 0;
};
inline constexpr FileLimit kCasesLimit = {"a file of cases", size_t{1} << 32, size_t{1} << 21};
// A source of 16 MiB makes less code than this.
inline constexpr FileLimit kCodeLimit = {"a program", size_t{1} << 28};
inline constexpr FileLimit kScriptLimit = {"a script", size_t{1} << 26};

// `-` is standard input. If the watch requests a stop, even while waiting for a writer, the unread rest is no error:
// the requester knows of it.
Problem read_whole_file(const std::string& path, const FileLimit& limit, const engine::Watch& watch,
                        std::string& out);

}  // namespace komuz::cli
