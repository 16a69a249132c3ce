// SPDX-License-Identifier: Apache-2.0
#include "cli/files/write_target.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace komuz::cli {
namespace {

namespace fs = std::filesystem;

// The object at the path. `is_there` false: there is none, and a file could have that name.
struct Found {
  bool is_there = false;
  struct statx status {};
};

bool has_attribute(const Found& found, u64 attribute) {
  return (found.status.stx_attributes & attribute) != 0;
}

bool is_same(const Found& a, const Found& b) {
  return a.status.stx_ino == b.status.stx_ino && a.status.stx_dev_major == b.status.stx_dev_major &&
         a.status.stx_dev_minor == b.status.stx_dev_minor;
}

Problem look_at(const std::string& path, Found& out) {
  out.is_there =
      statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &out.status) == 0;
  if (out.is_there || errno == ENOENT) return {};
  return services::system_error("write", path);
}

// Follows links, including those to files that do not exist yet.
Problem follow_links(std::string& path) {
  constexpr u32 kMostLinks = 40;  // the kernel's limit
  std::error_code error;
  for (u32 links = 0; fs::is_symlink(path, error); ++links) {
    if (links == kMostLinks) {
      errno = ELOOP;
      return services::system_error("write", path);
    }
    const fs::path to = fs::read_symlink(path, error);
    if (error) return input_problem({}, "cannot read the link " + path + ": " + error.message());
    path = to.is_absolute() ? to.string() : (fs::path(path).parent_path() / to).string();
  }
  return {};
}

// Labels of the security system follow from the folder. Other attributes, including access lists, belong to the file
// itself.
bool has_attributes_of_its_own(const std::string& path) {
  std::array<char, 4096> names{};
  const ssize_t bytes = listxattr(path.c_str(), names.data(), names.size());
  if (bytes < 0) return errno == ERANGE;
  std::string_view rest(names.data(), static_cast<size_t>(bytes));
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find('\0'));
    if (!name.starts_with("security.")) return true;
    rest.remove_prefix(name.size() + 1);
  }
  return false;
}

// In a sticky folder only the owners of the file and of the folder may rename it.
bool is_kept_by_sticky_folder(const Found& file, const std::string& path) {
  struct stat folder {};
  if (stat(folder_of(path).c_str(), &folder) != 0) return true;
  const uid_t own = geteuid();
  return (folder.st_mode & S_ISVTX) != 0 && own != 0 && own != folder.st_uid &&
         own != file.status.stx_uid;
}

// True if a file with the same properties can be made beside the one at `path`.
bool can_be_replaced(const Found& file, const std::string& path) {
  const bool is_mounted = has_attribute(file, STATX_ATTR_MOUNT_ROOT);
  if (file.status.stx_nlink > 1 || is_mounted || has_attributes_of_its_own(path) ||
      is_kept_by_sticky_folder(file, path))
    return false;
  const int fd = open_nameless_file(folder_of(path));
  if (fd < 0) return false;
  const bool can = takes_owner_and_mode(fd, path);
  close(fd);
  return can;
}

// Checks that an existing file may be written, as far as possible without changing it.
Problem check_file(const Found& file, const std::string& path) {
  constexpr u16 kAnyWrites = S_IWUSR | S_IWGRP | S_IWOTH;
  if (has_attribute(file, STATX_ATTR_IMMUTABLE))
    return input_problem({}, path + " is immutable", "`chattr -i` lets it be written");
  if (has_attribute(file, STATX_ATTR_APPEND))
    return input_problem({}, path + " can only be appended to", "`chattr -a` lets it be written");
  // Also for users who may write everything: whoever removes these bits means it.
  if ((file.status.stx_mode & kAnyWrites) == 0)
    return input_problem({}, path + " is read-only", "`chmod u+w` lets it be written");
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return services::system_error("write", path);
  close(fd);
  return {};
}

Problem check_new_file(const std::string& path) {
  const int fd = open_nameless_file(folder_of(path));
  if (fd < 0) return services::system_error("write", path);
  close(fd);
  return {};
}

// For files that are written as a whole, and for files that grow.
Problem look_for_file(const std::string& path, std::string& target, Found& found) {
  if (path.empty()) return input_problem({}, "a file to write has no name", "name one");
  if (services::is_folder(path))
    return input_problem({}, path + " is a folder", "name a file to write");
  target = path;
  // An object without a name, such as a pipe or a removed file, is written through the link's name: `/dev/fd/63`,
  // `/dev/stdout`.
  Found open;
  open.is_there = statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS, &open.status) == 0;
  if (open.is_there && !S_ISREG(open.status.stx_mode)) {
    found = open;
    return {};
  }
  if (auto error = follow_links(target)) return error;
  if (auto error = look_at(target, found)) return error;
  if (open.is_there && !(found.is_there && is_same(found, open))) {
    target = path;
    found = open;
  }
  return {};
}

}  // namespace

std::string place_of_file(const std::string& path) {
  std::string target = path;
  if (follow_links(target)) return {};
  std::error_code error;
  const fs::path whole = fs::absolute(target, error);
  const fs::path place = fs::weakly_canonical(whole, error);
  return error ? std::string() : place.string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

int open_nameless_file(const std::string& folder) {
  const int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || errno == EACCES || errno == EROFS || errno == ENOENT || errno == ENOTDIR)
    return fd;
  std::string name = folder + "/.komuz.XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

bool takes_owner_and_mode(int fd, const std::string& path) {
  struct stat old {
  }, made{};
  if (stat(path.c_str(), &old) != 0 || fstat(fd, &made) != 0) return false;
  const bool is_same = old.st_uid == made.st_uid && old.st_gid == made.st_gid;
  if (!is_same && fchown(fd, old.st_uid, old.st_gid) != 0) return false;
  return fchmod(fd, old.st_mode & 07777) == 0;
}

Problem find_write_target(const std::string& path, WriteTarget& out) {
  Found found;
  if (auto error = look_for_file(path, out.path, found)) return error;
  out.way = WriteWay::Replace;
  if (!found.is_there) return check_new_file(out.path);
  if (!S_ISREG(found.status.stx_mode)) {
    out.way = WriteWay::Stream;
    return access(path.c_str(), W_OK) == 0 ? Problem() : services::system_error("write", path);
  }
  if (!can_be_replaced(found, out.path)) out.way = WriteWay::InPlace;
  return check_file(found, out.path);
}

Problem check_appendable(const std::string& path) {
  Found found;
  std::string target;
  if (auto error = look_for_file(path, target, found)) return error;
  if (!found.is_there) return check_new_file(target);
  if (!S_ISREG(found.status.stx_mode))
    return input_problem({}, path + ": a log is a file, and this is none", "name a file");
  return check_file(found, target);
}

}  // namespace komuz::cli
