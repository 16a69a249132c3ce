// SPDX-License-Identifier: Apache-2.0
#include "base/group/permuted.h"

#include "frontend_gpu/groups/emulated_groups.h"
#include "frontend_gpu/groups/run_phase.h"

namespace komuz::frontend {

namespace {

class PermutedRunner final : public PhaseRunner {
 public:
  explicit PermutedRunner(u64 seed) : group_(seed) {}
  bool run(Phase phase, ColumnCounts& columns, PhaseValues& v) override {
    run_phase(group_, static_cast<Columns&>(columns), phase, v);
    return true;
  }

 private:
  PermutedGroup group_;
};

}  // namespace

std::unique_ptr<PhaseRunner> permuted_runner(u64 seed) {
  return std::make_unique<PermutedRunner>(seed);
}

}  // namespace komuz::frontend
