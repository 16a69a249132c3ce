// SPDX-License-Identifier: Apache-2.0
// Runs two functions on the same cases, and compares their outcomes.
#pragma once
#include <stop_token>
#include <vector>

#include "engine/cases/case_columns.h"
#include "engine/native/tiered_machine.h"
#include "engine/testing/property_entry.h"
#include "neural/proof/prover.h"

namespace komuz::neural {

enum class CaseVerdict : u8 {
  Same,
  Differs,
  Open,  // one of them ran out of ticks, so nothing is known of what it gives
};

// The outcomes of a batch, a column each (lang/cases.h).
struct PairedOutcomes {
  std::vector<u64> values;
  std::vector<Trap> traps;
  std::vector<u32> places, depths;
  std::vector<u64> fuel;

  void resize(u32 cells, u32 count);
  [[nodiscard]] OutcomesView view() { return {values, traps, places, depths, fuel}; }
};

class PairedRun {
 public:
  // The entries fit, have the same types, and outlive it. `ticks`: of each case. `native`, `stop`: null for none.
  PairedRun(const engine::PropertyEntry& a, const engine::PropertyEntry& b, FuelRule rule,
            u64 ticks, engine::NativeTier* native, const std::stop_token* stop);

  // `waiting`: so many cases come behind these (engine/native/tiered_machine.h). Meaningless after a stop.
  void run(engine::CaseColumns& cases, u64 waiting);
  [[nodiscard]] CaseVerdict verdict(u32 row) const;
  [[nodiscard]] PairedOutcomes& of_a() { return outcomes_[0]; }
  [[nodiscard]] PairedOutcomes& of_b() { return outcomes_[1]; }

 private:
  [[nodiscard]] bool has_same_values(u32 row) const;

  const engine::PropertyEntry* entries_[2];
  const FuelRule rule_;
  const u64 ticks_;
  const std::stop_token* stop_;
  engine::TieredMachine machines_[2];
  PairedOutcomes outcomes_[2];
  u32 cells_ = 0, count_ = 0;
};

}  // namespace komuz::neural
