// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/perf_map.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <mutex>

#include "backend/llvm/process.h"

namespace komuz::backend {
namespace {

// When this process began, as a time of files; 0: it is not known.
time_t process_start() {
  struct stat found = {};
  return stat("/proc/self", &found) == 0 ? found.st_ctime : 0;
}

// Anybody may put something there: a file of another user, a link or what a former process of the same number left is
// not written to.
int open_map(const std::string& path, std::string& why) {
  constexpr int kFlags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  int file = open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0600);
  if (file >= 0) return file;
  if (errno == EEXIST) file = open(path.c_str(), kFlags);
  struct stat found = {};
  if (file < 0 || fstat(file, &found) != 0) {
    why = std::strerror(errno);
  } else if (!S_ISREG(found.st_mode) || found.st_uid != geteuid() || found.st_nlink != 1) {
    why = "there is something else of this name";
  } else if (found.st_mtime < process_start() && ftruncate(file, 0) != 0) {
    // Another library of this process may have begun the file, so it is kept if it is new.
    why = std::strerror(errno);
  }
  if (why.empty()) return file;
  if (file >= 0) close(file);
  return -1;
}

struct Opened {
  std::mutex mutex;
  pid_t process = 0;
  int file = -1;
};

}  // namespace

void append_perf_map(std::span<const MappedFunction> functions) {
  static Opened& opened = *new Opened;
  std::string lines;
  for (const MappedFunction& f : functions) {
    char numbers[48];
    std::snprintf(numbers, sizeof numbers, "%llx %llx ", static_cast<unsigned long long>(f.address),
                  static_cast<unsigned long long>(f.size));
    lines += numbers + f.name + "\n";
  }
  const std::lock_guard lock(opened.mutex);
  const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  std::string why;
  // A child has a map of its own.
  if (opened.process != getpid()) {
    if (opened.file >= 0) close(opened.file);
    opened.file = open_map(path, why);
    opened.process = getpid();
  }
  if (opened.file >= 0 &&
      write(opened.file, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size()))
    why = std::strerror(errno);
  if (!why.empty()) note_problem("perf gets no names of native code: " + path + ": " + why);
}

}  // namespace komuz::backend
