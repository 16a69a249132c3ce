// SPDX-License-Identifier: Apache-2.0
// A stop token in a form that poll() can wait for.
#pragma once
#include <unistd.h>

#include <optional>
#include <stop_token>

namespace komuz::cli {

class StopPipe {
 public:
  explicit StopPipe(const std::stop_token& stop) {
    if (pipe(ends_) != 0) ends_[0] = ends_[1] = -1;
    wake_.emplace(stop, Wake{ends_});
  }
  ~StopPipe() {
    wake_.reset();
    for (const int end : ends_)
      if (end >= 0) close(end);
  }
  StopPipe(const StopPipe&) = delete;
  StopPipe& operator=(const StopPipe&) = delete;

  // Readable once the stop is requested. -1: no pipe could be made.
  [[nodiscard]] int readable_end() const { return ends_[0]; }

 private:
  struct Wake {
    const int (&ends)[2];
    void operator()() const {
      if (ends[1] >= 0) static_cast<void>(!::write(ends[1], "", 1));
    }
  };
  int ends_[2] = {-1, -1};
  std::optional<std::stop_callback<Wake>> wake_;
};

}  // namespace komuz::cli
