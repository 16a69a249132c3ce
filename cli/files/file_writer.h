// SPDX-License-Identifier: Apache-2.0
// A file that is written in pieces, and takes its place once it is whole, so that an interrupted write leaves no half
// file.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

#include "cli/files/write_target.h"

namespace komuz::cli {

// Until then the written bytes are in a file without a name. Where the file system does not support this, they are in
// a file beside the target, which a killed process leaves there. write_target.h says how it takes its place.
class FileWriter {
 public:
  explicit FileWriter(std::string path) : path_(std::move(path)) {}
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  Problem open();
  // False once a write has failed; close() says why.
  bool write(std::string_view bytes);
  // Puts the written bytes in the file's place. Without this call, or if it fails, the file stays unchanged. The
  // exception is a file that is written in place: its bytes are replaced one after the other, and a process that is
  // killed meanwhile leaves a mixture.
  Problem close();

 private:
  [[nodiscard]] int open_beside();
  [[nodiscard]] int open_to_copy() const;
  [[nodiscard]] int give_name();
  [[nodiscard]] int copy_to_target() const;

  std::string path_;  // as the user wrote it
  WriteTarget target_;
  std::string beside_;  // name of the replacement; empty: it has none
  std::FILE* file_ = nullptr;
  int problem_ = 0;  // errno of the first step that failed
};

Problem write_file(const std::string& path, std::string_view bytes);

}  // namespace komuz::cli
