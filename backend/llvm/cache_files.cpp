// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/cache_files.h"

#include <fcntl.h>
#include <llvm/Support/SHA256.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "backend/llvm/process.h"

namespace komuz::backend {
namespace {

namespace fs = std::filesystem;

constexpr char kMagic[] = "Komuz native 1\n";
constexpr size_t kHash = 32, kHead = sizeof kMagic - 1 + kHash;
constexpr char kEnding[] = ".object", kUnfinished[] = ".unfinished";
// A larger file is no object of ours; when all are larger than the folder may be, the oldest go until they take three
// quarters of it. Bytes.
constexpr u64 kMostFile = 64u << 20, kMostFolder = 256u << 20;
// The folder is looked through at the first file that a process writes, and at each so many behind it.
constexpr u32 kLookEach = 64;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

std::string system_text() { return std::strerror(errno); }

std::string path_of(const std::string& folder, const ObjectKey& key) {
  std::string path = folder + "/";
  for (const u8 byte : key.digest) {
    path += "0123456789abcdef"[byte >> 4];
    path += "0123456789abcdef"[byte & 15];
  }
  return path + kEnding;
}

// Whoever may write there may let this process run anything: it has to be this user alone.
bool is_own(const struct stat& found) {
  return found.st_uid == geteuid() && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Numbers and texts, one behind the other.
class Writer {
 public:
  void number(u64 n) { bytes.append(reinterpret_cast<const char*>(&n), sizeof n); }
  void text(const char* begin, size_t size) {
    number(size);
    bytes.append(begin, size);
  }
  void text(const std::string& t) { text(t.data(), t.size()); }
  std::string bytes;
};
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  u64 number() {
    u64 n = 0;
    const std::string_view from = take(sizeof n);
    if (is_whole_) std::memcpy(&n, from.data(), sizeof n);
    return n;
  }
  std::string_view text() { return take(number()); }
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  [[nodiscard]] bool is_at_end() const { return is_whole_ && bytes_.empty(); }

 private:
  std::string_view take(u64 size) {
    is_whole_ = is_whole_ && size <= bytes_.size();
    if (!is_whole_) return {};
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string_view bytes_;
  bool is_whole_ = true;
};

std::string hash_of(std::string_view bytes) {
  const auto hash = llvm::SHA256::hash({reinterpret_cast<const u8*>(bytes.data()), bytes.size()});
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

std::string digest_text(const ObjectKey& key) {
  return {reinterpret_cast<const char*>(key.digest.data()), key.digest.size()};
}

// All of the file; nothing, and `why` says the reason, if there is one to say.
std::optional<std::string> read_bytes(const std::string& path, std::string& why) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    if (errno != ENOENT && errno != ENOTDIR) why = system_text();
    return std::nullopt;
  }
  struct stat found = {};
  if (fstat(file.get(), &found) != 0) {
    why = system_text();
  } else if (!S_ISREG(found.st_mode)) {
    why = "it is no file";
  } else if (!is_own(found)) {
    why = "others may write it";
  } else if (found.st_size < static_cast<off_t>(kHead) ||
             found.st_size > static_cast<off_t>(kMostFile)) {
    why = "it is cut off or damaged";
  }
  if (!why.empty()) return std::nullopt;
  std::string bytes(static_cast<size_t>(found.st_size), 0);
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t count = read(file.get(), &bytes[at], bytes.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      why = count < 0 ? system_text() : "it is cut off or damaged";
      return std::nullopt;
    }
    at += static_cast<size_t>(count);
  }
  // It was used now: the oldest go first.
  static_cast<void>(futimens(file.get(), nullptr));
  return bytes;
}

std::string read_object(std::string_view bytes, const ObjectKey& key, StoredObject& out) {
  if (!bytes.starts_with(kMagic)) return "it is of another version, or damaged";
  bytes.remove_prefix(sizeof kMagic - 1);
  const std::string_view hash = bytes.substr(0, kHash);
  bytes.remove_prefix(kHash);
  if (hash_of(bytes) != hash) return "it is cut off or damaged";
  Reader reader(bytes);
  const std::string_view target = reader.text(), digest = reader.text();
  if (target != key.target)
    return "it was made for another processor, " + std::string(target.substr(0, target.find(' ')));
  if (digest != digest_text(key)) return "it was made of other code";
  out.lanes = static_cast<u32>(reader.number());
  out.scratch_bytes = reader.number();
  out.stack_bytes = reader.number();
  for (u64 left = reader.number(); left > 0 && reader.is_whole(); --left) {
    ir::Kernel& kernel = out.kernels.emplace_back();
    kernel.name = reader.text();
    kernel.op = static_cast<Op>(reader.number());
    kernel.type = static_cast<Scalar>(reader.number());
  }
  const std::string_view object = reader.text();
  if (!reader.is_at_end()) return "it is cut off or damaged";
  out.bytes.assign(object.begin(), object.end());
  return {};
}

std::string bytes_of(const ObjectKey& key, const StoredObject& object) {
  Writer out;
  out.text(key.target);
  out.text(digest_text(key));
  out.number(object.lanes);
  out.number(object.scratch_bytes);
  out.number(object.stack_bytes);
  out.number(object.kernels.size());
  for (const ir::Kernel& kernel : object.kernels) {
    out.text(kernel.name);
    out.number(static_cast<u64>(kernel.op));
    out.number(static_cast<u64>(kernel.type));
  }
  out.text(object.bytes.data(), object.bytes.size());
  return kMagic + hash_of(out.bytes) + out.bytes;
}

// Makes the folder, and of those round it as many as the settings say. Empty if it is there, and this user's own; else
// why not.
std::string open_folder(const std::string& folder) {
  std::vector<size_t> ends;
  for (size_t end = folder.find('/', 1); end < folder.size(); end = folder.find('/', end + 1))
    if (folder[end - 1] != '/') ends.push_back(end);
  if (!folder.ends_with('/')) ends.push_back(folder.size());
  const size_t levels = process_settings().cache_levels;
  for (size_t k = ends.size() - std::min(ends.size(), levels); k < ends.size(); ++k)
    if (mkdir(folder.substr(0, ends[k]).c_str(), 0700) != 0 && errno != EEXIST)
      return system_text();
  struct stat found = {};
  if (stat(folder.c_str(), &found) != 0) return system_text();
  if (!S_ISDIR(found.st_mode)) return "it is no folder";
  return is_own(found) ? "" : "others may write there";
}

// Empty if all is well.
std::string write_bytes(const std::string& path, const std::string& bytes) {
  static std::atomic<u64> number = 0;
  const std::string unfinished = path + "." + std::to_string(getpid()) + "-" +
                                 std::to_string(number.fetch_add(1)) + kUnfinished;
  std::string why;
  {
    const Descriptor file(
        open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.get() < 0) return system_text();
    for (size_t at = 0; at < bytes.size() && why.empty();) {
      const ssize_t count = write(file.get(), &bytes[at], bytes.size() - at);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) why = system_text();
      at += count > 0 ? static_cast<size_t>(count) : 0;
    }
  }
  if (why.empty() && rename(unfinished.c_str(), path.c_str()) != 0) why = system_text();
  if (!why.empty()) unlink(unfinished.c_str());
  return why;
}

// Other processes may write and remove files at the same time.
void forget_old_files(const std::string& folder) {
  struct Old {
    fs::file_time_type used;
    u64 size;
    fs::path path;
  };
  std::vector<Old> files;
  u64 all = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    const fs::path& path = at->path();
    const bool is_unfinished = path.extension() == kUnfinished;
    if (path.extension() != kEnding && !is_unfinished) continue;
    const auto used = at->last_write_time(gone);
    const u64 size = gone ? 0 : at->file_size(gone);
    if (gone) continue;
    // A process that wrote it has ended in the middle.
    if (is_unfinished && now - used > std::chrono::hours(1)) fs::remove(path, gone);
    if (is_unfinished) continue;
    files.push_back({used, size, path});
    all += size;
  }
  if (all <= kMostFolder) return;
  std::sort(files.begin(), files.end(), [](const Old& a, const Old& b) { return a.used < b.used; });
  for (const Old& old : files) {
    if (all <= kMostFolder / 4 * 3) break;
    fs::remove(old.path, error);
    all -= old.size;
  }
}

}  // namespace

std::optional<StoredObject> read_cache_file(const std::string& folder, const ObjectKey& key) {
  const std::string path = path_of(folder, key);
  std::string why;
  const std::optional<std::string> bytes = read_bytes(path, why);
  StoredObject object;
  if (bytes) why = read_object(*bytes, key, object);
  if (why.empty()) return bytes ? std::optional(std::move(object)) : std::nullopt;
  note_problem("native code was made anew, and not taken from " + path + ": " + why);
  return std::nullopt;
}

void write_cache_file(const std::string& folder, const ObjectKey& key, const StoredObject& object) {
  static std::atomic<u32> written = 0;
  std::string why = open_folder(folder);
  if (why.empty()) why = write_bytes(path_of(folder, key), bytes_of(key, object));
  if (!why.empty()) return note_problem("native code is not kept in " + folder + ": " + why);
  if (written.fetch_add(1) % kLookEach == 0) forget_old_files(folder);
}

}  // namespace komuz::backend
