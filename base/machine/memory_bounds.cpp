// SPDX-License-Identifier: Apache-2.0
#include "base/machine/memory_bounds.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "base/machine/control_groups.h"

namespace komuz::machine {
namespace {

constexpr u64 kUnlimited = u64{1} << 60;  // version 1 writes a number close to 2^63

// The present contents of a small file, in memory of the caller.
class Text {
 public:
  explicit Text(int file) {
    const ssize_t got = pread(file, bytes_, sizeof bytes_, 0);
    size_ = got > 0 ? static_cast<size_t>(got) : 0;
  }
  // The number behind this word at the beginning of a line; `otherwise` if there is none.
  [[nodiscard]] u64 number(std::string_view word, u64 otherwise) const {
    const std::string_view text(bytes_, size_);
    for (size_t line = 0; line < text.size();
         line = std::min(text.find('\n', line), text.size()) + 1)
      if (text.substr(line).starts_with(word)) return number_at(line + word.size(), otherwise);
    return otherwise;
  }
  // Word `n` of the file as a number, from 0.
  [[nodiscard]] u64 word(u32 n, u64 otherwise) const {
    size_t at = 0;
    for (const std::string_view text(bytes_, size_); n > 0 && at < text.size(); --n)
      at = std::min(text.find(' ', at), text.size()) + 1;
    return number_at(at, otherwise);
  }

 private:
  [[nodiscard]] u64 number_at(size_t at, u64 otherwise) const {
    while (at < size_ && bytes_[at] == ' ') ++at;
    u64 number = 0;
    const bool is_number =
        at < size_ && std::from_chars(bytes_ + at, bytes_ + size_, number).ec == std::errc{};
    return is_number ? number : otherwise;
  }

  char bytes_[4096];
  size_t size_ = 0;
};

u64 less(u64 a, u64 b) { return a > b ? a - b : 0; }

u64 limit_of(__rlimit_resource resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  return limit.rlim_cur;
}

int open_to_read(const std::string& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }

void close_file(int& file) {
  if (file >= 0) ::close(file);
  file = -1;
}

}  // namespace

void MemoryBounds::open() {
  close();
  machine_ = open_to_read("/proc/meminfo");
  process_ = open_to_read("/proc/self/statm");
  // The memory that the system calls available is an estimate. The system ends processes before all of it is used.
  constexpr u64 kKilobyte = 1024, kPart = 64;
  machine_floor_ = Text(machine_).number("MemTotal:", 0) * kKilobyte / kPart;
  for (const ControlGroup& group : control_groups("memory")) {
    const bool is_two = group.version == ControlGroup::Version::Two;
    const u64 most =
        first_number(group.folder + (is_two ? "/memory.max" : "/memory.limit_in_bytes"))
            .value_or(kUnlimited);
    if (most >= kUnlimited || group_count_ == kMostGroups) continue;
    groups_[group_count_++] = {
        most, open_to_read(group.folder + (is_two ? "/memory.current" : "/memory.usage_in_bytes")),
        open_to_read(group.folder + "/memory.stat"), is_two};
  }
}

void MemoryBounds::close() {
  close_file(machine_);
  close_file(process_);
  for (Group& group : groups_) {
    close_file(group.usage);
    close_file(group.statistics);
  }
  group_count_ = 0;
}

bool MemoryBounds::has_scarce_addresses() {
  constexpr u64 kEnough = u64{1} << 34;
  return limit_of(RLIMIT_AS) < kEnough;
}

MemoryLeft MemoryBounds::left(u64 held) const {
  constexpr u64 kKilobyte = 1024;
  MemoryLeft left;
  if (const u64 all = Text(machine_).number("MemAvailable:", kUnlimited); all < kUnlimited)
    left.lower(less(all * kKilobyte, machine_floor_), MemoryBound::Machine);
  for (const Group& group : std::span(groups_).first(group_count_)) {
    // Pages of files that nobody uses are dropped when memory is needed.
    const u64 idle =
        Text(group.statistics)
            .number(group.is_of_version_two ? "inactive_file" : "total_inactive_file", 0);
    const u64 used = less(Text(group.usage).word(0, 0), idle);
    left.lower(less(group.most, used + group.most / 64), MemoryBound::ControlGroup);
  }
  const u64 page = static_cast<u64>(sysconf(_SC_PAGESIZE));
  const Text process(process_);
  constexpr u32 kAddressSpace = 0, kData = 5;
  if (const u64 most = limit_of(RLIMIT_AS); most < kUnlimited)
    left.lower(less(most + held, process.word(kAddressSpace, 0) * page), MemoryBound::AddressSpace);
  if (const u64 most = limit_of(RLIMIT_DATA); most < kUnlimited)
    left.lower(less(most + held, process.word(kData, 0) * page), MemoryBound::DataSize);
  return left;
}

}  // namespace komuz::machine
