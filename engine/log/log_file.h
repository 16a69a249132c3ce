// SPDX-License-Identifier: Apache-2.0
// A file of lines to which lines are appended. Its last line may be cut short, if the writer was killed or the disk
// was full. Errors name the file.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "engine/support/shown.h"

namespace komuz::engine {

// How long to wait for another run that writes the log, and whom to tell when the wait begins.
struct LogWait {
  std::chrono::milliseconds time{0};
  std::stop_token stop = {};
  std::function<void()> on_begin = {};
};

class LogFile {
 public:
  LogFile() = default;
  ~LogFile();
  LogFile(LogFile&& other) noexcept;
  LogFile& operator=(LogFile&& other) noexcept;

  Problem open_to_read(const std::string& path);
  // Creates the file if there is none. Only one writer may have it open, since two would spoil it.
  Problem open_to_write(const std::string& path, const LogWait& wait = {});

  // The next whole line, without its end; none if there is no further one. It stays until the next line is read.
  [[nodiscard]] std::optional<std::string_view> read_line();
  // The number of the line read last, from 1, and its beginning.
  [[nodiscard]] u64 line() const { return line_; }
  [[nodiscard]] u64 line_begin() const { return line_begin_; }
  // The beginning of the next line. Once read_line() has found none, this is behind the last whole line.
  [[nodiscard]] u64 position() const { return next_; }
  // The present size of the file; 0 if it is unknown.
  [[nodiscard]] u64 size() const;
  // The first `bytes` bytes, or all if there are fewer.
  [[nodiscard]] std::string read_start(size_t bytes);
  // The next line read begins at `begin` and has the number `line`.
  void go_to(u64 begin, u64 line);
  // The text behind the last whole line.
  [[nodiscard]] std::string read_rest();
  // The line that begins there, without its end; empty if there is none. read_line() goes on where it was.
  [[nodiscard]] std::string_view read_line_at(u64 begin);
  // The first error of reading, if there was one.
  [[nodiscard]] const Problem& read_error() const { return read_error_; }

  // Cuts the file to this size. append() goes on from there.
  Problem cut(u64 size);
  Problem append(std::string_view text);
  // Overwrites the bytes at `begin`.
  Problem write_at(u64 begin, std::string_view text);
  // Replaces the bytes from `begin` to `end` by the text. If the length differs, the bytes behind are moved. If there
  // is no room for that, the file stays unchanged.
  Problem replace(u64 begin, u64 end, std::string_view text);
  // Checks that the file is still where it was opened. Bytes written to a removed file are lost.
  Problem check_still_there() const;

  [[nodiscard]] const std::string& path() const { return path_; }
  // An error at the line of this file that was read last.
  Problem error_here(std::string message, std::string remedy) const;

 private:
  // False: another run held the lock all the time.
  [[nodiscard]] bool lock(const LogWait& wait) const;

  // Reads the line that begins at `begin` into the buffer, `bytes` at a time. Returns its length with its end, or 0
  // if there is no whole line.
  size_t load(u64 begin, size_t bytes);
  size_t read_some(u64 at, size_t into, size_t bytes);
  // Moves so many bytes to another place.
  Problem move(u64 from, u64 to, size_t bytes);
  Problem system_error(std::string_view what) const;

  std::string path_;
  int file_ = -1;
  std::string buffer_;  // bytes of the file from `buffered_from_`
  u64 buffered_from_ = 0;
  size_t buffered_ = 0;
  u64 next_ = 0, line_ = 0, line_begin_ = 0;
  u64 end_ = 0;  // where append() writes
  Problem read_error_;
};

}  // namespace komuz::engine
