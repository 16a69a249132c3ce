// SPDX-License-Identifier: Apache-2.0
// The emulated runner, and the questions that tests of the emulator ask of it.
#pragma once
#include <optional>
#include <vector>

#include "base/group/site.h"
#include "frontend_gpu/groups/phases.h"

namespace komuz::frontend {

class EmulatedPhases : public PhaseRunner {
 public:
  // The sites of all barriers that the lanes have reached.
  [[nodiscard]] virtual const std::vector<Site>& barrier_sites() const = 0;
  // From now on the lanes do not wait at this site.
  virtual void leave_out(std::optional<Site> site) = 0;
};

[[nodiscard]] std::unique_ptr<EmulatedPhases> emulated_phases(u64 seed);

}  // namespace komuz::frontend
