// SPDX-License-Identifier: Apache-2.0
#include "cli/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/counts.h"
#include "cli/progress_bar.h"

namespace komuz::cli {
namespace {

FileError too_long(const std::string& path, const FileLimit& limit) {
  return {path + " is longer than " + counted(limit.bytes, "byte") + ", the most that " +
              std::string(limit.kind) + " may have",
          "is it the right file? A device, such as /dev/zero, has no end"};
}

MaybeFileError read_open(int fd, const std::string& path, const FileLimit& limit, ProgressBar& bar,
                         std::string& out) {
  struct stat status {};
  const bool has_size = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = has_size ? static_cast<size_t>(status.st_size) : 0;
  if (size > limit.bytes) return too_long(path, limit);
  constexpr size_t kStep = size_t{1} << 18;
  // At once where it is known how much there is, and one byte more, which says that there is the end.
  out.reserve(size + 1);
  size_t used = 0, line = 0;
  for (;;) {
    if (out.size() == used)
      out.resize(std::min(limit.bytes + 1, used < size ? size + 1 : std::max(2 * used, kStep)));
    const ssize_t got = read(fd, out.data() + used, std::min(out.size() - used, kStep));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read", path);
    if (got == 0) break;
    const std::string_view piece(out.data() + used, static_cast<size_t>(got));
    used += piece.size();
    if (used > limit.bytes) return too_long(path, limit);
    if (const size_t end = piece.rfind('\n'); end != std::string_view::npos)
      line = used - piece.size() + end + 1;
    if (limit.line != 0 && used - line > limit.line) break;
    bar.update({used, size == 0 ? std::nullopt : std::optional<u64>(size), -1, "bytes"});
  }
  out.resize(used);
  return std::nullopt;
}

}  // namespace

MaybeFileError read_whole_file(const std::string& path, const FileLimit& limit, ProgressBar& bar,
                               std::string& out) {
  out.clear();
  if (is_folder(path)) return FileError{path + " is a folder", "name a file in it"};
  const int fd = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return system_error("read", path);
  const struct Closed {
    int fd;
    ~Closed() {
      if (fd > STDERR_FILENO) close(fd);
    }
  } closed{fd};
  const MaybeFileError error = read_open(fd, path, limit, bar, out);
  bar.clear();
  return error;
}

}  // namespace komuz::cli
