// SPDX-License-Identifier: Apache-2.0
// Files in and out, with errors that a user can act on.
#pragma once
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "cli/terminal.h"

namespace komuz::cli {

// What went wrong with a file; nothing: all is well.
struct FileError {
  std::string message;
  std::string remedy;
};
using MaybeFileError = std::optional<FileError>;

// What errno says of "read" or "write".
[[nodiscard]] FileError system_error(std::string_view what, const std::string& path);

// A source has at most 16 MiB; one byte more is enough for the front end to say so.
inline constexpr size_t kMostSourceBytes = (size_t{16} << 20) + 1;

// The whole file, or its first `most` bytes. `-` is standard input. Of what may be longer than a source: whole_file.h.
[[nodiscard]] MaybeFileError read_file(const std::string& path, std::string& out,
                                       size_t most = kMostSourceBytes);
// A file that is written in pieces and takes its place when it is whole, so that an interrupted write leaves no half file: until
// then it has no name or, where the file system knows no such files, one beside it, which a process that is killed leaves
// there. A device or a pipe is written as it is.
class FileWriter {
 public:
  explicit FileWriter(std::string path) : path_(std::move(path)) {}
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  [[nodiscard]] MaybeFileError open();
  // False once a write has failed; close() says why.
  bool write(std::string_view bytes);
  // Puts what was written in the file's place. Without it, or where it fails, the file stays as it was.
  [[nodiscard]] MaybeFileError close();

 private:
  [[nodiscard]] int open_nameless() const;
  [[nodiscard]] int give_name();

  std::string path_;
  std::string
      target_;  // what is written: a file of its own beside it, or the device; empty: it has no name
  std::string replaced_;  // what that takes the place of; empty: nothing
  std::FILE* file_ = nullptr;
  int problem_ = 0;  // errno of the first write that failed
};
[[nodiscard]] MaybeFileError write_file(const std::string& path, std::string_view bytes);

// Whether a file could be written there, as far as can be said without writing it.
[[nodiscard]] MaybeFileError check_writable(const std::string& path);

// The files that the words stand for: a file for itself, a folder for all *.komuz below it, sorted by path. What is wrong
// with a word is returned, and the others go on.
[[nodiscard]] std::vector<FileError> find_sources(std::span<const std::string_view> words,
                                                  std::vector<std::string>& paths);

[[nodiscard]] bool is_folder(const std::string& path);
[[nodiscard]] bool exists(const std::string& path);

}  // namespace komuz::cli
