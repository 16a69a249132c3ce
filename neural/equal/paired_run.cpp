// SPDX-License-Identifier: Apache-2.0
#include "neural/equal/paired_run.h"

namespace komuz::neural {

void PairedOutcomes::resize(u32 cells, u32 count) {
  values.resize(size_t{cells} * count);
  traps.resize(count);
  places.resize(count);
  depths.resize(count);
  fuel.resize(count);
}

PairedRun::PairedRun(const engine::PropertyEntry& a, const engine::PropertyEntry& b, FuelRule rule,
                     u64 ticks, engine::NativeTier* native, const std::stop_token* stop)
    : entries_{&a, &b},
      rule_(rule),
      ticks_(ticks),
      stop_(stop),
      machines_{engine::TieredMachine(native), engine::TieredMachine(native)},
      cells_(a.code().functions[a.function()].result_cells) {}

void PairedRun::run(engine::CaseColumns& cases, u64 waiting) {
  count_ = cases.count();
  for (u32 k = 0; k < 2; ++k) {
    const engine::PropertyEntry& entry = *entries_[k];
    outcomes_[k].resize(cells_, count_);
    machines_[k].run({entry.code(), entry.function(), cases.view(), entry.budget(ticks_), stop_},
                     waiting, outcomes_[k].view());
    entry.hide(outcomes_[k].view());
  }
}

CaseVerdict PairedRun::verdict(u32 row) const {
  using enum CaseVerdict;
  const Trap a = outcomes_[0].traps[row], b = outcomes_[1].traps[row];
  const u64 ticks_of_a = outcomes_[0].fuel[row], ticks_of_b = outcomes_[1].fuel[row];
  if (a == Trap::Fuel || b == Trap::Fuel) {
    // What runs out has more ticks than what does not.
    if (rule_ == FuelRule::Same && a != b) return Differs;
    if (rule_ == FuelRule::Less && b == Trap::Fuel && a != b) return Differs;
    return Open;
  }
  if (a != b) return Differs;
  if (rule_ == FuelRule::Same && ticks_of_a != ticks_of_b) return Differs;
  if (rule_ == FuelRule::Less && ticks_of_b > ticks_of_a) return Differs;
  return a != Trap::None || has_same_values(row) ? Same : Differs;
}

bool PairedRun::has_same_values(u32 row) const {
  for (u32 cell = 0; cell < cells_; ++cell) {
    const size_t at = size_t{cell} * count_ + row;
    if (outcomes_[0].values[at] != outcomes_[1].values[at]) return false;
  }
  return true;
}

}  // namespace komuz::neural
