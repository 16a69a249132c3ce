// SPDX-License-Identifier: Apache-2.0
#include "cli/files/file_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

namespace komuz::cli {
namespace {

namespace fs = std::filesystem;

// The permissions of a file that is newly created by other means.
mode_t new_file_permissions() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// A path for an open file without a name.
std::string name_of_open(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

// Copies all of `from`, from its start. The space is allocated first, where the file system supports that, so a full
// disk is noticed before the old bytes are gone. Returns errno of the failure, or 0.
int copy_bytes(int from, int to) {
  struct stat status {
  }, before{};
  if (fstat(from, &status) != 0 || fstat(to, &before) != 0) return errno;
  if (status.st_size > 0) {
    int error = 0;
    do error = posix_fallocate(to, 0, status.st_size);
    while (error == EINTR);
    if (error != 0 && error != EOPNOTSUPP && error != EINVAL) {
      static_cast<void>(!ftruncate(to, before.st_size));
      return error;
    }
  }
  std::vector<char> buffer(size_t{1} << 18);
  for (off_t at = 0; at < status.st_size;) {
    const ssize_t got = pread(from, buffer.data(), buffer.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? errno : EIO;
    for (ssize_t done = 0; done < got;) {
      const ssize_t put =
          pwrite(to, buffer.data() + done, static_cast<size_t>(got - done), at + done);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return errno;
      done += put;
    }
    at += got;
  }
  return ftruncate(to, status.st_size) == 0 ? 0 : errno;
}

}  // namespace

FileWriter::~FileWriter() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (!beside_.empty()) unlink(beside_.c_str());
}

// Temporary names beside the file are short, however long its own is.
int FileWriter::open_beside() {
  const std::string folder = folder_of(target_.path);
  const int nameless = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (nameless >= 0 && access(name_of_open(nameless).c_str(), F_OK) == 0) return nameless;
  if (nameless >= 0) ::close(nameless);
  beside_ = folder + "/.komuz.XXXXXX";
  const int named = mkostemp(beside_.data(), O_CLOEXEC);
  if (named < 0) beside_.clear();
  return named;
}

int FileWriter::open_to_copy() const {
  const int fd = open_nameless_file(folder_of(target_.path));
  if (fd >= 0) return fd;
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? -1 : open_nameless_file(folder.string());
}

Problem FileWriter::open() {
  if (auto error = find_write_target(path_, target_)) return error;
  if (target_.way == WriteWay::Stream) {
    file_ = std::fopen(path_.c_str(), "wb");
    return file_ == nullptr ? services::system_error("write", path_) : Problem();
  }
  const int fd = target_.way == WriteWay::InPlace ? open_to_copy() : open_beside();
  if (fd >= 0) file_ = fdopen(fd, "wb");
  if (file_ == nullptr) {
    Problem error = services::system_error("write", path_);
    if (fd >= 0) ::close(fd);
    if (!beside_.empty()) unlink(beside_.c_str());
    return error;
  }
  std::setvbuf(file_, nullptr, _IONBF, 0);  // pieces are large
  if (target_.way == WriteWay::InPlace) return {};
  if (!services::exists(target_.path))
    static_cast<void>(fchmod(fd, new_file_permissions()));
  else if (!takes_owner_and_mode(fd, target_.path))
    return services::system_error("write", path_);
  return {};
}

bool FileWriter::write(std::string_view bytes) {
  if (problem_ == 0 && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
    problem_ = errno;
  return problem_ == 0;
}

// A file without a name cannot replace another, so it gets a name beside that file for a moment. Returns errno of the
// failure, or 0.
int FileWriter::give_name() {
  const std::string open_name = name_of_open(fileno(file_));
  for (u32 number = 0;; ++number) {
    const std::string name = folder_of(target_.path) + "/.komuz." + std::to_string(getpid()) + "-" +
                             std::to_string(number);
    if (linkat(AT_FDCWD, open_name.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      beside_ = name;
      return 0;
    }
    if (errno != EEXIST) return errno;
  }
}

int FileWriter::copy_to_target() const {
  const int to = ::open(target_.path.c_str(), O_WRONLY | O_CLOEXEC);
  if (to < 0) return errno;
  int problem = copy_bytes(fileno(file_), to);
  if (::close(to) != 0 && problem == 0) problem = errno;
  return problem;
}

Problem FileWriter::close() {
  const auto note = [this](bool is_well) {
    if (!is_well && problem_ == 0) problem_ = errno;
  };
  note(std::fflush(file_) == 0);
  const bool replaces = target_.way == WriteWay::Replace;
  if (problem_ == 0 && target_.way == WriteWay::InPlace) problem_ = copy_to_target();
  if (problem_ == 0 && replaces && beside_.empty()) problem_ = give_name();
  note(std::fclose(std::exchange(file_, nullptr)) == 0);
  if (problem_ == 0 && replaces) note(std::rename(beside_.c_str(), target_.path.c_str()) == 0);
  if (problem_ == 0) return {};
  if (!beside_.empty()) unlink(beside_.c_str());
  errno = problem_;
  return services::system_error("write", path_);
}

Problem write_file(const std::string& path, std::string_view bytes) {
  FileWriter file(path);
  if (auto error = file.open()) return error;
  file.write(bytes);
  return file.close();
}

}  // namespace komuz::cli
