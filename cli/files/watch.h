// SPDX-License-Identifier: Apache-2.0
// Waits until files change. It looks at them now and then: that also sees files that come and go in folders, and what editors
// do, who write a new file and rename it.
#pragma once
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::cli {

// The files that words of the user stand for (find_sources), as they are at one time.
class FileState {
 public:
  explicit FileState(std::vector<std::string_view> words);

  // Returns when the files are no longer as they were, and have been the same for a moment; or when a stop is requested.
  void wait_for_change(const std::stop_token& stop) const;
  [[nodiscard]] size_t files() const { return stamps_.size(); }

 private:
  struct Stamp {
    std::string path;
    u64 device = 0, inode = 0, bytes = 0;
    i64 seconds = 0, nanoseconds = 0;  // of the last change of the content
    bool operator==(const Stamp&) const = default;
  };

  std::vector<std::string_view> words_;
  std::vector<Stamp> stamps_;
};

}  // namespace komuz::cli
