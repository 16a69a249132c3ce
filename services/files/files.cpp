// SPDX-License-Identifier: Apache-2.0
#include "services/files/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace komuz::services {
namespace {

namespace fs = std::filesystem;

// A file descriptor that closes itself. Standard input stays open.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : fd_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ > STDERR_FILENO) close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

// Appends all *.komuz below the folder.
Problem list_sources(const std::string& folder, std::vector<std::string>& paths) {
  const size_t before = paths.size();
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, fs::directory_options::skip_permission_denied,
                                           error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    std::error_code ignored;
    if (entries->path().extension() == ".komuz" && entries->is_regular_file(ignored))
      paths.push_back(entries->path().string());
  }
  std::sort(paths.begin() + static_cast<std::ptrdiff_t>(before), paths.end());
  if (error) return input_problem({}, "cannot list " + folder + ": " + error.message());
  if (paths.size() == before)
    return input_problem({}, folder + " holds no .komuz file", "name the files, or another folder");
  return {};
}

}  // namespace

Problem system_error(std::string_view what, const std::string& path) {
  const int number = errno;
  std::string message = "cannot " + std::string(what) + " " + path + ": " + std::strerror(number);
  return input_problem({}, std::move(message),
                       number == ENOENT ? "check the spelling of the path" : "");
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Problem read_file(const std::string& path, std::string& out, size_t most) {
  out.clear();
  if (is_folder(path)) return input_problem({}, path + " is a folder", "name a file in it");
  const OpenFile file(path);
  if (file.fd() < 0) return system_error("read", path);
  constexpr size_t kStep = size_t{1} << 18;
  size_t used = 0;
  while (used < most) {
    if (out.size() - used < kStep) out.resize(std::min(most, std::max(out.size() * 2, kStep)));
    const ssize_t got = read(file.fd(), out.data() + used, out.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read", path);
    if (got == 0) break;
    used += static_cast<size_t>(got);
  }
  out.resize(used);
  return {};
}

std::vector<Problem> find_sources(std::span<const std::string_view> words,
                                  std::vector<std::string>& paths) {
  std::vector<Problem> errors;
  for (const std::string_view word : words) {
    const std::string path(word);
    if (path.empty()) {
      errors.push_back(input_problem({}, "a file to read has no name", "name one"));
      continue;
    }
    if (is_folder(path)) {
      if (Problem error = list_sources(path, paths)) errors.push_back(std::move(error));
      continue;
    }
    if (path != "-" &&
        access(path.c_str(), F_OK) != 0)  // also for a folder that may not be entered
      errors.push_back(system_error("read", path));
    else
      paths.push_back(path);
  }
  return errors;
}

}  // namespace komuz::services
