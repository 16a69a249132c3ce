// SPDX-License-Identifier: Apache-2.0
// How a file can be written, found out before anything is: who asks a run for a file is told at once that it cannot be.
//
// A file is best written beside itself and renamed, so that an interrupted write leaves no half file. That makes another file of it, though:
// hard links to the old one stay with the old bytes, its owner and its access lists are gone, and in some folders nothing can be renamed
// (one that may not be written, a sticky one, the place where a single file is mounted). Such files are written where they are.
#pragma once
#include <string>

#include "base/ints.h"
#include "cli/files/files.h"

namespace komuz::cli {

enum class WriteWay : u8 {
  Replace,  // by a file beside it, which gets its owner and mode; also where there is none yet
  InPlace,  // its bytes are exchanged when all of them are there, one after the other
  Stream,   // a device or a pipe takes the bytes as they come
};

struct WriteTarget {
  std::string path;  // of a link, what it leads to
  WriteWay way = WriteWay::Replace;
};

// Tries each step but the last one, and leaves everything as it was.
Problem find_write_target(const std::string& path, WriteTarget& out);

// A file that grows at its end, as a log does: nothing takes its place, and it is no device.
Problem check_appendable(const std::string& path);

// An open file without a name in the folder, or -1 and errno: it is gone when it is closed. Where the file system knows no such files it has
// a name for a moment.
[[nodiscard]] int open_nameless_file(const std::string& folder);
// What the path leads to, as one that is written in one way alone: links are followed, also to what is not there yet. Empty: there is no end.
[[nodiscard]] std::string place_of_file(const std::string& path);
// The folder of a path, as a system call takes it.
[[nodiscard]] std::string folder_of(const std::string& path);
// Gives the new file the owner and the mode of the one at `path`: false where it may not.
[[nodiscard]] bool takes_owner_and_mode(int fd, const std::string& path);

}  // namespace komuz::cli
