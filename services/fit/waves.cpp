// SPDX-License-Identifier: Apache-2.0
#include "services/fit/waves.h"

#include <algorithm>
#include <optional>

#include "engine/search/fast_waves.h"
#include "services/fit/formula_code.h"

namespace komuz::services {

void WaveCheck::open(const engine::FitData& data, std::span<const u32> rows) {
  constexpr size_t kMostRows = 2000;
  const size_t count = std::min(rows.size(), kMostRows);
  share_ = count == 0 ? 1 : static_cast<f64>(rows.size()) / static_cast<f64>(count);
  points_ = {};
  points_.inputs = data.inputs;
  points_.columns.resize(data.columns.size());
  for (size_t k = 0; k < count; ++k)
    for (size_t column = 0; column < data.columns.size(); ++column)
      points_.columns[column].push_back(data.columns[column][rows[k * rows.size() / count]]);
}

void WaveCheck::keep_slow(std::vector<FitFormula>& formulas) const {
  std::erase_if(formulas, [this](const FitFormula& one) {
    if (one.is_given) return false;
    const std::optional<FormulaCode> made = formula_code(one.program, points_);
    return made && engine::has_fast_waves(made->code.view(), made->function, made->columns, share_);
  });
}

}  // namespace komuz::services
