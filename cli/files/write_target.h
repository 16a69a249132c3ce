// SPDX-License-Identifier: Apache-2.0
// Finds out how a file can be written before any work is done, so that a user learns at once if it cannot.
//
// The best way is to write a new file beside the old one and rename it, so that an interrupted write leaves no half
// file. However, this makes another file of it: hard links keep the old bytes, its owner and its access lists are
// lost, and in some folders renaming is impossible (in one that may not be written, in a sticky one, at the mount
// point of a single file). In such cases the file is written in place.
#pragma once
#include <string>

#include "base/ints.h"
#include "services/files/files.h"

namespace komuz::cli {

enum class WriteWay : u8 {
  Replace,  // by a file beside it, which gets its owner and mode; also for a new file
  InPlace,  // its bytes are replaced one after the other, once all are known
  Stream,   // a device or a pipe takes the bytes as they come
};

struct WriteTarget {
  std::string path;  // for a link, its target
  WriteWay way = WriteWay::Replace;
};

// Tries each step except the last, and leaves everything as it was.
Problem find_write_target(const std::string& path, WriteTarget& out);

// Checks a file that grows at its end, such as a log: it is not replaced, and is no device.
Problem check_appendable(const std::string& path);

// Opens a file without a name in the folder; returns -1 and sets errno if that fails. The file vanishes when it is
// closed. Where the file system does not support this, it has a name for a moment.
[[nodiscard]] int open_nameless_file(const std::string& folder);
// The target of the path in a unique form: links are followed, including those to files that do not exist yet. Empty:
// the links never end.
[[nodiscard]] std::string place_of_file(const std::string& path);
// The folder of a path, in a form for system calls.
[[nodiscard]] std::string folder_of(const std::string& path);
// Gives the new file the owner and the mode of the one at `path`. False: not permitted.
[[nodiscard]] bool takes_owner_and_mode(int fd, const std::string& path);

}  // namespace komuz::cli
