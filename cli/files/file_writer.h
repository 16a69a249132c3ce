// SPDX-License-Identifier: Apache-2.0
// A file that is written in pieces and takes its place when it is whole, so that an interrupted write leaves no half file.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

#include "cli/files/write_target.h"

namespace komuz::cli {

// Until it is whole what was written has no name or, where the file system knows no such files, one beside the file, which a process that is
// killed leaves there. How it takes its place is said in write_target.h.
class FileWriter {
 public:
  explicit FileWriter(std::string path) : path_(std::move(path)) {}
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  Problem open();
  // False once a write has failed; close() says why.
  bool write(std::string_view bytes);
  // Puts what was written in the file's place. Without it the file stays as it was, and so it does where this fails, but for a file that is
  // written where it is: its bytes are exchanged from the first on, and whoever is killed in the midst of that leaves both in part.
  Problem close();

 private:
  [[nodiscard]] int open_beside();
  [[nodiscard]] int open_to_copy() const;
  [[nodiscard]] int give_name();
  [[nodiscard]] int copy_to_target() const;

  std::string path_;  // as the user wrote it
  WriteTarget target_;
  std::string beside_;  // the name of what will replace the file; empty: it has none
  std::FILE* file_ = nullptr;
  int problem_ = 0;  // errno of the first step that failed
};

Problem write_file(const std::string& path, std::string_view bytes);

}  // namespace komuz::cli
