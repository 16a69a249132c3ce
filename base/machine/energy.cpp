// SPDX-License-Identifier: Apache-2.0
#include "base/machine/energy.h"

#include "base/machine/control_groups.h"

namespace komuz::machine {

EnergyCounter::EnergyCounter(const std::string& root) {
  // A folder for each package, numbered from 0; their parts are folders with a second number, and are counted in the package.
  for (u32 number = 0;; ++number) {
    const std::string folder =
        root + "/sys/class/powercap/intel-rapl:" + std::to_string(number) + "/";
    const std::optional<u64> now = first_number(folder + "energy_uj"),
                             end = first_number(folder + "max_energy_range_uj");
    if (!now || !end) return;
    packages_.push_back({folder + "energy_uj", *now, *end});
  }
}

std::optional<f64> EnergyCounter::joules() {
  if (packages_.empty()) return {};
  for (Package& package : packages_) {
    const std::optional<u64> now = first_number(package.counter);
    if (!now) return {};
    microjoules_ += *now >= package.last ? *now - package.last : *now + package.end - package.last;
    package.last = *now;
  }
  return 1e-6 * static_cast<f64>(microjoules_);
}

}  // namespace komuz::machine
