// SPDX-License-Identifier: Apache-2.0
#include "cli/files.h"

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

namespace komuz::cli {
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
MaybeFileError list_sources(const std::string& folder, std::vector<std::string>& paths) {
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
  if (error) return FileError{"cannot list " + folder + ": " + error.message(), ""};
  if (paths.size() == before)
    return FileError{folder + " holds no .komuz file", "name the files, or another folder"};
  return std::nullopt;
}

}  // namespace

FileError system_error(std::string_view what, const std::string& path) {
  const int number = errno;
  std::string message = "cannot " + std::string(what) + " " + path + ": " + std::strerror(number);
  return {std::move(message), number == ENOENT ? "check the spelling of the path" : ""};
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

MaybeFileError read_file(const std::string& path, std::string& out, size_t most) {
  out.clear();
  if (is_folder(path)) return FileError{path + " is a folder", "name a file in it"};
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
  return std::nullopt;
}

MaybeFileError check_writable(const std::string& path) {
  if (is_folder(path)) return FileError{path + " is a folder", "name a file to write"};
  const fs::path folder = fs::path(path).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) == 0 || exists(path)) return std::nullopt;
  return system_error("write", path);
}

namespace {

// Those of a file that is made by any other means.
mode_t new_file_permissions() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// The name of an open file that has none.
std::string name_of_open(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

}  // namespace

FileWriter::~FileWriter() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (!replaced_.empty() && !target_.empty()) std::remove(target_.c_str());
}

// -1: there are no such files here, or none that could be given a name.
int FileWriter::open_nameless() const {
  const fs::path folder = fs::path(replaced_).parent_path();
  const int fd =
      ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0 || access(name_of_open(fd).c_str(), F_OK) == 0) return fd;
  ::close(fd);
  return -1;
}

MaybeFileError FileWriter::open() {
  if (auto error = check_writable(path_)) return error;
  // A device or pipe cannot be replaced. Of a link, what it leads to is.
  std::error_code ignored;
  const bool is_there = exists(path_);
  if (is_there && !fs::is_regular_file(path_, ignored)) {
    target_ = path_;
    file_ = std::fopen(target_.c_str(), "wb");
    return file_ == nullptr ? MaybeFileError(system_error("write", path_)) : std::nullopt;
  }
  replaced_ = is_there ? fs::canonical(path_, ignored).string() : path_;
  int fd = open_nameless();
  if (fd < 0) {
    target_ = replaced_ + ".XXXXXX";
    fd = mkstemp(target_.data());
  }
  if (fd >= 0) file_ = fdopen(fd, "wb");
  if (file_ == nullptr) return system_error("write", path_);
  std::setvbuf(file_, nullptr, _IONBF, 0);  // pieces are large
  struct stat replaced {};
  const bool has_mode = is_there && stat(replaced_.c_str(), &replaced) == 0;
  static_cast<void>(fchmod(fd, has_mode ? replaced.st_mode & 07777 : new_file_permissions()));
  return std::nullopt;
}

bool FileWriter::write(std::string_view bytes) {
  if (problem_ == 0 && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
    problem_ = errno;
  return problem_ == 0;
}

// A file without a name cannot replace another: it gets one beside it for a moment. What went
// wrong, as errno; 0: nothing.
int FileWriter::give_name() {
  const std::string open_name = name_of_open(fileno(file_));
  for (u32 number = 0;; ++number) {
    const std::string name =
        replaced_ + "." + std::to_string(getpid()) + "-" + std::to_string(number);
    if (linkat(AT_FDCWD, open_name.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      target_ = name;
      return 0;
    }
    if (errno != EEXIST) return errno;
  }
}

MaybeFileError FileWriter::close() {
  const auto note = [this](bool is_well) {
    if (!is_well && problem_ == 0) problem_ = errno;
  };
  note(std::fflush(file_) == 0);
  if (target_.empty() && problem_ == 0) problem_ = give_name();
  note(std::fclose(std::exchange(file_, nullptr)) == 0);
  if (problem_ == 0 && !replaced_.empty())
    note(std::rename(target_.c_str(), replaced_.c_str()) == 0);
  if (problem_ == 0) return std::nullopt;
  if (!replaced_.empty() && !target_.empty()) std::remove(target_.c_str());
  errno = problem_;
  return system_error("write", path_);
}

MaybeFileError write_file(const std::string& path, std::string_view bytes) {
  FileWriter file(path);
  if (auto error = file.open()) return error;
  file.write(bytes);
  return file.close();
}

std::vector<FileError> find_sources(std::span<const std::string_view> words,
                                    std::vector<std::string>& paths) {
  std::vector<FileError> errors;
  for (const std::string_view word : words) {
    const std::string path(word);
    if (is_folder(path)) {
      if (auto error = list_sources(path, paths)) errors.push_back(std::move(*error));
      continue;
    }
    errno = ENOENT;
    if (path != "-" && !exists(path))
      errors.push_back(system_error("read", path));
    else
      paths.push_back(path);
  }
  return errors;
}

}  // namespace komuz::cli
