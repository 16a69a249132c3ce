// SPDX-License-Identifier: Apache-2.0
// A file of lines to which lines are appended. Its last line may be cut short: whoever wrote it was killed, or the disk
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

// How long it is waited for another run that writes the log, and who is told when that begins.
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
  // Makes it where there is none. Nobody else may have it open to write: two writers would spoil it.
  Problem open_to_write(const std::string& path, const LogWait& wait = {});

  // The next line, without its end; none: there is no whole one any more. It stays until another one is read.
  [[nodiscard]] std::optional<std::string_view> read_line();
  // Of the line read last: its number, from 1, and where it begins.
  [[nodiscard]] u64 line() const { return line_; }
  [[nodiscard]] u64 line_begin() const { return line_begin_; }
  // Where the next one begins: behind the last whole line once read_line() has found none.
  [[nodiscard]] u64 position() const { return next_; }
  // How long it is by now; 0: nobody knows.
  [[nodiscard]] u64 size() const;
  // So many of the first bytes, where there are so many.
  [[nodiscard]] std::string read_start(size_t bytes);
  // The next line read begins there, and has this number.
  void go_to(u64 begin, u64 line);
  // What stands behind the last whole line.
  [[nodiscard]] std::string read_rest();
  // The line that begins there, as read_line() gives it, whose place it leaves. Empty: there is none.
  [[nodiscard]] std::string_view read_line_at(u64 begin);
  // Of any read so far.
  [[nodiscard]] const Problem& read_error() const { return read_error_; }

  // Forgets what stands behind; append() goes on from there.
  Problem cut(u64 size);
  Problem append(std::string_view text);
  // In place of what stands there.
  Problem write_at(u64 begin, std::string_view text);
  // In place of the bytes from `begin` to `end`, which are as many or not: what stands behind is moved. Where there is
  // no room for that, nothing is.
  Problem replace(u64 begin, u64 end, std::string_view text);
  // Is it still where it was opened? What is written to a file that somebody has removed is lost.
  Problem check_still_there() const;

  [[nodiscard]] const std::string& path() const { return path_; }
  // An error of this file, of its line read last.
  Problem error_here(std::string message, std::string remedy) const;

 private:
  // False: another run has it all the time.
  [[nodiscard]] bool lock(const LogWait& wait) const;

  // Reads the line that begins at `begin` into the buffer, so many bytes at a time. Its length with its end; 0: there
  // is no whole one.
  size_t load(u64 begin, size_t bytes);
  size_t read_some(u64 at, size_t into, size_t bytes);
  // So many bytes from there to another place.
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
