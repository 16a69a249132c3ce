// SPDX-License-Identifier: Apache-2.0
#include "cli/session/history_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/ints.h"
#include "cli/files/file_writer.h"
#include "services/options/environment.h"

namespace komuz::cli {

namespace {

constexpr size_t kMostBytes = size_t{1} << 20;
constexpr std::string_view kFolder = "/komuz";

std::string state_folder() {
  const std::string_view state = services::environment_value("XDG_STATE_HOME");
  if (state.starts_with('/')) return std::string(state);  // the standard ignores relative paths
  const std::string_view home = services::environment_value("HOME");
  return home.starts_with('/') ? std::string(home) + "/.local/state" : std::string();
}

// The file of the path, locked against other writers. It is absent if it cannot be locked.
class LockedFile {
 public:
  explicit LockedFile(const std::string& path) {
    // A process that cuts the file replaces it; the lock must then be on the new file.
    do {
      if (file_ >= 0) close(file_);
      file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
      if (file_ >= 0 && !lock()) {
        const int problem = errno;
        close(file_);
        file_ = -1;
        errno = problem;
      }
    } while (file_ >= 0 && !is_at(path));
  }
  ~LockedFile() {
    if (file_ >= 0) close(file_);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  [[nodiscard]] int file() const { return file_; }

 private:
  // Other sessions write a line each, which takes no time. A lock that is held longer is not waited for.
  [[nodiscard]] bool lock() const {
    constexpr u32 kTries = 50;
    for (u32 tries = 0; tries < kTries; ++tries) {
      if (flock(file_, LOCK_EX | LOCK_NB) == 0) return true;
      if (errno != EWOULDBLOCK && errno != EINTR) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    errno = EWOULDBLOCK;
    return false;
  }
  [[nodiscard]] bool is_at(const std::string& path) const {
    struct stat own {
    }, there{};
    return fstat(file_, &own) != 0 ||
           (stat(path.c_str(), &there) == 0 && own.st_ino == there.st_ino);
  }
  int file_ = -1;
};

}  // namespace

HistoryFile::HistoryFile() {
  const std::string folder = state_folder();
  if (folder.empty()) return;
  path_ = folder + std::string(kFolder) + "/history";
}

std::string HistoryFile::read() {
  std::string text;
  if (path_.empty() || services::read_file(path_, text) || text.size() <= kMostBytes) return text;
  const LockedFile lock(path_);
  if (lock.file() < 0 || services::read_file(path_, text)) return text;
  if (text.size() > kMostBytes) {
    text.erase(0, text.find('\n', text.size() - kMostBytes / 2) + 1);
    static_cast<void>(write_file(path_, text));
  }
  return text;
}

Problem HistoryFile::append(std::string_view line) {
  if (path_.empty()) return {};
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  std::error_code error;
  // Inputs are private, like all files of the state folder.
  const bool is_new = std::filesystem::create_directories(folder, error);
  if (error) return input_problem({}, "cannot make " + folder.string() + ": " + error.message());
  if (is_new) std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  const LockedFile lock(path_);
  if (lock.file() < 0 && errno == EWOULDBLOCK)
    return input_problem({}, "another process keeps " + path_ + " locked");
  if (lock.file() < 0) return services::system_error("write", path_);
  const off_t end = lseek(lock.file(), 0, SEEK_END);
  while (!line.empty()) {
    const ssize_t written = write(lock.file(), line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const Problem problem = services::system_error("write", path_);  // for example, a full disk
      if (end >= 0) static_cast<void>(!ftruncate(lock.file(), end));
      return problem;
    }
    line.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace komuz::cli
