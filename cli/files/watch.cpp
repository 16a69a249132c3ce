// SPDX-License-Identifier: Apache-2.0
#include "cli/files/watch.h"

#include <sys/stat.h>

#include <chrono>
#include <thread>
#include <utility>

#include "services/files/files.h"

namespace komuz::cli {
namespace {

// The pause between two checks: short for a waiting user, long for a processor that has other work.
constexpr std::chrono::milliseconds kPause{100};

}  // namespace

FileState::FileState(std::vector<std::string_view> words) : words_(std::move(words)) {
  std::vector<std::string> paths;
  (void)services::find_sources(words_, paths);  // missing files may appear
  for (std::string& path : paths) {
    struct stat found = {};
    if (stat(path.c_str(), &found) != 0) continue;
    stamps_.push_back({std::move(path), found.st_dev, found.st_ino, static_cast<u64>(found.st_size),
                       found.st_mtim.tv_sec, found.st_mtim.tv_nsec});
  }
}

void FileState::wait_for_change(const std::stop_token& stop) const {
  FileState last = *this;
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(kPause);
    FileState now(words_);
    const bool is_at_rest = now.stamps_ == last.stamps_;
    if (is_at_rest && now.stamps_ != stamps_) return;
    last = std::move(now);
  }
}

}  // namespace komuz::cli
