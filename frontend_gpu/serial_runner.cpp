// SPDX-License-Identifier: Apache-2.0
// The phases on the serial group, each in one function. `flatten` forces the functors in: left out of line, each costs a
// call an element, and nothing warns of it. The columns are copied because a store of a byte may change any memory that
// has escaped: of a local copy the optimiser knows better, and keeps it in registers.
#include "frontend_gpu/run_phase.h"

namespace komuz::frontend {

namespace {

class SerialRunner final : public PhaseRunner {
 public:
  bool run(Phase phase, void* columns, PhaseValues& v) override {
    Columns& c = *static_cast<Columns*>(columns);
    switch (phase) {
      case Phase::FindTokens: run_find_tokens(group_, c, v); break;
      case Phase::ClassifyTokens: classify(c, v); break;
      case Phase::Analyse: analyse_all(c); break;
      case Phase::WriteCode: write(c, v); break;
      case Phase::FinishCode: run_finish_code(group_, c); break;
    }
    return true;
  }

 private:
  __attribute__((flatten, noinline)) void classify(const Columns& shared, PhaseValues& v) {
    Columns c = shared;
    run_classify_tokens(group_, c, v);
  }
  __attribute__((flatten, noinline)) void analyse_all(Columns& shared) {
    Columns c = shared;
    analyse(group_, c, tables());
    shared = c;
  }
  __attribute__((flatten, noinline)) void write(Columns& shared, PhaseValues& v) {
    Columns c = shared;
    run_write_code(group_, c, v);
    shared = c;
  }

  SerialGroup group_;
};

}  // namespace

std::unique_ptr<PhaseRunner> serial_runner() { return std::make_unique<SerialRunner>(); }

}  // namespace komuz::frontend
