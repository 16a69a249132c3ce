// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/groups/serial_phases.h"

namespace komuz::frontend {

namespace {

class SerialRunner final : public PhaseRunner {
 public:
  bool run(Phase phase, ColumnCounts& columns, PhaseValues& values) override {
    phases_.run(phase, static_cast<Columns&>(columns), values);
    return true;
  }

 private:
  SerialPhases phases_;
};

}  // namespace

std::unique_ptr<PhaseRunner> serial_runner() { return std::make_unique<SerialRunner>(); }

}  // namespace komuz::frontend
