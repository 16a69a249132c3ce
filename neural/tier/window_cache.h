// SPDX-License-Identifier: Apache-2.0
// What is known of windows, by the lone functions that they are (neural/windows/windows.h): the windows of one program stand in the
// next one, too, as those of a harness, or of the variants of a search. For several threads.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "neural/optimise/window_finding.h"

namespace komuz::neural {

struct KnownWindow {
  WindowFinding finding;
  bool has_asked_model = false;
};

class WindowCache {
 public:
  // So many windows are kept; then the half goes that was asked for longest ago.
  static constexpr size_t kMost = 65'536;

  // Null: nothing is known; or only what the rules make, where the model is wanted.
  [[nodiscard]] std::shared_ptr<const KnownWindow> find(const std::string& key, bool with_model);
  // What another thread knows already stays, if it is as much.
  std::shared_ptr<const KnownWindow> add(const std::string& key, KnownWindow known);
  // Runs of an unknown window are expected to gain so much if it gets cheaper; all those together, in nanoseconds.
  [[nodiscard]] f64 note_missed_gain(const std::string& key, f64 ns);
  [[nodiscard]] size_t size() const;

 private:
  struct Entry {
    std::shared_ptr<const KnownWindow> known;  // null: it only waits
    f64 missed_ns = 0;
    u64 used_at = 0;
  };
  // With the mutex.
  Entry& entry(const std::string& key);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
  u64 used_ = 0;
};

}  // namespace komuz::neural
