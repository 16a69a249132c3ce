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

// Who was asked about a window, each besides those before.
enum class Asked : u8 {
  Rules,   // what they would save, with no proof: some tens of microseconds
  Terms,   // for a proof by the same terms, or by all inputs: a millisecond
  Solver,  // for a proof: tens of milliseconds
  Model,   // for code, with proofs: more
};

struct KnownWindow {
  Asked asked = Asked::Rules;
  f64 promised = 0;       // the share of the window's cost that the rules would save
  WindowFinding finding;  // of Terms and more
  // Would somebody who was not asked say nothing new?
  [[nodiscard]] bool is_enough(Asked whom) const {
    if (asked >= whom) return true;
    if (whom == Asked::Model) return false;
    return promised == 0 ||
           (whom == Asked::Solver && asked == Asked::Terms && finding.unproved == 0);
  }
  // Is there something cheaper that nobody was asked to prove?
  [[nodiscard]] bool is_open() const {
    return promised != 0 &&
           (asked == Asked::Rules || (asked == Asked::Terms && finding.unproved != 0));
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
  // A run could have gained so much if the next one had been asked about the window. All such runs together, in nanoseconds.
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
