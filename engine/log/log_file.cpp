// SPDX-License-Identifier: Apache-2.0
// Lines are found in a window of the file. Positioned reads fill the window, so reading and appending do not disturb
// each other.
#include "engine/log/log_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "base/counts.h"

namespace komuz::engine {
namespace {

constexpr size_t kReadBytes = size_t{1} << 18;
constexpr size_t kLineBytes = 1024;  // most lines are shorter
// Longer than any row: one with a source of 16 MiB and its edited text, all of it escaped, is shorter.
constexpr size_t kMostLine = size_t{1} << 28;

}  // namespace

LogFile::~LogFile() {
  if (file_ >= 0) close(file_);
}
LogFile::LogFile(LogFile&& other) noexcept { *this = std::move(other); }
LogFile& LogFile::operator=(LogFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(buffer_, other.buffer_);
  std::swap(buffered_from_, other.buffered_from_);
  std::swap(buffered_, other.buffered_);
  std::swap(next_, other.next_);
  std::swap(line_, other.line_);
  std::swap(line_begin_, other.line_begin_);
  std::swap(end_, other.end_);
  std::swap(read_error_, other.read_error_);
  return *this;
}

Problem LogFile::system_error(std::string_view what) const {
  const int number = errno;
  return input_problem({},
                       "cannot " + std::string(what) + " " + path_ + ": " + std::strerror(number),
                       number == ENOENT ? "check the spelling of the path" : "");
}

Problem LogFile::error_here(std::string message, std::string remedy) const {
  return input_problem({path_, line_}, std::move(message), std::move(remedy));
}

Problem LogFile::open_to_read(const std::string& path) {
  path_ = path;
  // A pipe must not block until somebody writes to it.
  file_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat status {};
  if (file_ < 0 || fstat(file_, &status) != 0) return system_error("read");
  if (S_ISDIR(status.st_mode))
    return input_problem({path}, "a log is a file, and this is a folder", "name the logs in it");
  if (!S_ISREG(status.st_mode))
    return input_problem({path}, "a log is a file, and this is none: it is read more than once",
                         "write what it gives into a file");
  return {};
}

bool LogFile::lock(const LogWait& wait) const {
  constexpr std::chrono::milliseconds kPause{50};
  const auto is_free = [&] { return flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; };
  if (is_free()) return true;
  if (wait.time.count() == 0) return false;
  if (wait.on_begin) wait.on_begin();
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + wait.time;
  for (auto now = Clock::now(); now < end && !wait.stop.stop_requested(); now = Clock::now()) {
    std::this_thread::sleep_for(std::min<Clock::duration>(end - now, kPause));
    if (is_free()) return true;
  }
  return false;
}

Problem LogFile::open_to_write(const std::string& path, const LogWait& wait) {
  path_ = path;
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) return system_error("write");
  struct stat status {};
  if (fstat(file_, &status) != 0) return system_error("write");
  if (!S_ISREG(status.st_mode))
    return input_problem({path}, "a log is a file, and this is none", "name a file");
  if (lock(wait)) return {};
  if (wait.time.count() != 0 && wait.stop.stop_requested()) return stopped();
  return input_problem({path}, "another run is writing this log",
                       "stop it, or wait for it: `--wait 60s` does");
}

u64 LogFile::size() const {
  struct stat status {};
  return fstat(file_, &status) == 0 ? static_cast<u64>(status.st_size) : 0;
}

size_t LogFile::read_some(u64 at, size_t into, size_t bytes) {
  for (;;) {
    const ssize_t got = pread(file_, buffer_.data() + into, bytes, static_cast<off_t>(at));
    if (got >= 0) return static_cast<size_t>(got);
    if (errno == EINTR) continue;
    if (!read_error_) read_error_ = system_error("read");
    return 0;
  }
}

size_t LogFile::load(u64 begin, size_t bytes) {
  const bool is_buffered = begin >= buffered_from_ && begin <= buffered_from_ + buffered_;
  size_t at = is_buffered ? static_cast<size_t>(begin - buffered_from_) : 0;
  if (!is_buffered) {
    buffered_from_ = begin;
    buffered_ = 0;
  }
  for (size_t scanned = at;;) {
    const void* end = scanned == buffered_
                          ? nullptr
                          : std::memchr(buffer_.data() + scanned, '\n', buffered_ - scanned);
    if (end != nullptr)
      return static_cast<size_t>(static_cast<const char*>(end) - buffer_.data()) - at + 1;
    // Drops the bytes that were read before, so that the window does not grow from line to line.
    if (at != 0) {
      std::memmove(buffer_.data(), buffer_.data() + at, buffered_ - at);
      buffered_ -= at;
      buffered_from_ = begin;
      at = 0;
    }
    scanned = buffered_;
    if (buffered_ > kMostLine) {
      read_error_ = input_problem({path_, line_ + 1},
                                  "this line is longer than " + counted(kMostLine, "byte"),
                                  "a log has none such; is it one?");
      return 0;
    }
    if (buffer_.size() < buffered_ + bytes) buffer_.resize(2 * buffered_ + bytes);
    const size_t got = read_some(buffered_from_ + buffered_, buffered_, bytes);
    if (got == 0) return 0;
    buffered_ += got;
  }
}

std::optional<std::string_view> LogFile::read_line() {
  const size_t length = load(next_, kReadBytes);
  if (length == 0) return std::nullopt;
  line_begin_ = next_;
  next_ += length;
  ++line_;
  return std::string_view(buffer_).substr(static_cast<size_t>(line_begin_ - buffered_from_),
                                          length - 1);
}

std::string LogFile::read_start(size_t bytes) {
  buffered_from_ = 0;
  buffered_ = 0;
  if (buffer_.size() < bytes) buffer_.resize(bytes);
  while (buffered_ < bytes) {
    const size_t got = read_some(buffered_, buffered_, bytes - buffered_);
    if (got == 0) break;
    buffered_ += got;
  }
  return buffer_.substr(0, buffered_);
}

void LogFile::go_to(u64 begin, u64 line) {
  next_ = begin;
  line_ = line - 1;
}

std::string_view LogFile::read_line_at(u64 begin) {
  const size_t length = load(begin, kLineBytes);
  if (length == 0) return {};
  return std::string_view(buffer_).substr(static_cast<size_t>(begin - buffered_from_), length - 1);
}

std::string LogFile::read_rest() {
  static_cast<void>(load(next_, kReadBytes));
  return buffer_.substr(static_cast<size_t>(next_ - buffered_from_),
                        buffered_ - static_cast<size_t>(next_ - buffered_from_));
}

Problem LogFile::cut(u64 size) {
  struct stat status {};
  if (fstat(file_, &status) != 0) return system_error("write");
  // A new file is not truncated. ext4 takes a file that was truncated to nothing for a replaced one, and would start
  // to write all of it to the disk when it is closed, which an interrupted run would wait for.
  const bool is_longer = static_cast<u64>(status.st_size) > size;
  if (is_longer && ftruncate(file_, static_cast<off_t>(size)) != 0) return system_error("write");
  end_ = size;
  buffered_ = 0;
  return {};
}

Problem LogFile::append(std::string_view text) {
  const u64 begin = std::exchange(end_, end_ + text.size());
  return write_at(begin, text);
}

Problem LogFile::write_at(u64 begin, std::string_view text) {
  buffered_ = 0;  // it may hold the old bytes
  while (!text.empty()) {
    const ssize_t written = pwrite(file_, text.data(), text.size(), static_cast<off_t>(begin));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error("write");
    begin += static_cast<u64>(written);
    text.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Problem LogFile::move(u64 from, u64 to, size_t bytes) {
  std::string piece(bytes, '\0');
  for (size_t done = 0; done < bytes;) {
    const ssize_t got =
        pread(file_, piece.data() + done, bytes - done, static_cast<off_t>(from + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return system_error("read");
    done += static_cast<size_t>(got);
  }
  return write_at(to, piece);
}

// When bytes move towards the end of the file, the last piece moves first, so that no piece is overwritten before it
// was read.
Problem LogFile::replace(u64 begin, u64 end, std::string_view text) {
  struct stat status {};
  if (fstat(file_, &status) != 0) return system_error("write");
  const u64 size = std::max(static_cast<u64>(status.st_size), end), behind = begin + text.size();
  if (behind > end) {
    do {
      errno = posix_fallocate(file_, static_cast<off_t>(size), static_cast<off_t>(behind - end));
    } while (errno == EINTR);
    if (errno != 0) return system_error("write");
  }
  constexpr u64 kPiece = u64{1} << 20;
  for (u64 done = 0; done < size - end;) {
    const u64 bytes = std::min(kPiece, size - end - done);
    const u64 from = behind > end ? size - done - bytes : end + done;
    if (Problem error = move(from, from - end + behind, static_cast<size_t>(bytes))) return error;
    done += bytes;
  }
  if (Problem error = write_at(begin, text)) return error;
  if (behind < end && ftruncate(file_, static_cast<off_t>(size - end + behind)) != 0)
    return system_error("write");
  return {};
}

Problem LogFile::check_still_there() const {
  struct stat status {};
  if (fstat(file_, &status) == 0 && status.st_nlink > 0) return {};
  return input_problem({path_}, "the log was removed while it was written: it is lost",
                       "run again, and leave it where it is");
}

}  // namespace komuz::engine
