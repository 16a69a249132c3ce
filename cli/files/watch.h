// SPDX-License-Identifier: Apache-2.0
// Waits until files change, by checking them now and then. This also sees files that appear or vanish in folders, and
// editors that write a new file and rename it.
#pragma once
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::cli {

// The state at one time of the files that the user's words name (find_sources).
class FileState {
 public:
  explicit FileState(std::vector<std::string_view> words);

  // Returns when the files have changed, and then stayed the same for a moment, or when a stop is requested.
  void wait_for_change(const std::stop_token& stop) const;
  [[nodiscard]] size_t files() const { return stamps_.size(); }

 private:
  struct Stamp {
    std::string path;
    u64 device = 0, inode = 0, bytes = 0;
    i64 seconds = 0, nanoseconds = 0;  // time of the content's last change
    bool operator==(const Stamp&) const = default;
  };

  std::vector<std::string_view> words_;
  std::vector<Stamp> stamps_;
};

}  // namespace komuz::cli
