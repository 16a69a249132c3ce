// SPDX-License-Identifier: Apache-2.0
// The energy that the processor's packages have taken, where the system shows it to this process (RAPL). They count all that the
// machine does, other work included.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/ints.h"

namespace komuz::machine {

class EnergyCounter {
 public:
  // Counts from now on. `root` is put before all paths, for tests; empty: this machine's root.
  explicit EnergyCounter(const std::string& root = {});

  // Joules since then; none: nothing shows them. Ask at least once a minute: the counters begin again at their ends.
  [[nodiscard]] std::optional<f64> joules();

 private:
  struct Package {
    std::string counter;    // its file
    u64 last = 0, end = 0;  // microjoules
  };
  std::vector<Package> packages_;
  u64 microjoules_ = 0;
};

}  // namespace komuz::machine
