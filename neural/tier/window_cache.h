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

// Who was asked: each of them besides those before.
enum class Asked : u8 {
  Rules,   // with proofs by the same terms, or by all inputs: mostly less than a millisecond
  Solver,  // tens of milliseconds
  Model,   // more
};

struct KnownWindow {
  WindowFinding finding;
  Asked asked = Asked::Rules;
  // Would somebody who was not asked know more? A solver has nothing to say where nobody lacks a proof.
  [[nodiscard]] bool is_enough(Asked whom) const {
    return asked >= whom || (whom == Asked::Solver && finding.unproved == 0);
  }
};

class WindowCache {
 public:
  // So many windows are kept; then the half goes that was asked for longest ago.
  static constexpr size_t kMost = 65'536;

  // Null: nothing is known.
  [[nodiscard]] std::shared_ptr<const KnownWindow> find(const std::string& key);
  // What another thread knows already stays, if as many were asked.
  std::shared_ptr<const KnownWindow> add(const std::string& key, KnownWindow known);
  // A run could have gained so much if more were known of the window. All such runs together, in nanoseconds.
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
