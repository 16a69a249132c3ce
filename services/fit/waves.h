// SPDX-License-Identifier: Apache-2.0
// Formulas without waves that turn faster than the rows can show (engine/search/fast_waves.h).
#pragma once
#include <span>
#include <vector>

#include "engine/fit/fit_data.h"
#include "services/fit/formula.h"

namespace komuz::services {

class WaveCheck {
 public:
  // `rows`: those that formulas are fitted to.
  void open(const engine::FitData& data, std::span<const u32> rows);
  // Leaves out those whose waves are too fast. Formulas that were given stay.
  void keep_slow(std::vector<FitFormula>& formulas) const;

 private:
  engine::FitData points_;
  f64 share_ = 1;
};

}  // namespace komuz::services
