// SPDX-License-Identifier: Apache-2.0
// Selection sampling (Fan, Muller and Rezucha, 1962): each case is taken with the share that is still wanted of those that are left.
#include "engine/cases/split_cases.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.h"

namespace komuz::engine {

size_t cases_in_share(size_t cases, f64 share) {
  const auto wanted = static_cast<size_t>(std::round(share * static_cast<f64>(cases)));
  return std::clamp<size_t>(wanted, 1, cases - 1);
}

CasesTable split_cases(CasesTable& cases, size_t moved, u64 seed) {
  cases.left_out = {};
  CasesTable out = cases;
  out.rows.clear();
  out.cells.clear();
  std::vector<TableRow> rows;
  std::vector<TableCell> cells;
  Random random(seed);
  const size_t count = cases.rows.size(), columns = cases.columns.size();
  for (size_t row = 0; row < count; ++row) {
    const bool is_moved = random.below(count - row) < moved - out.rows.size();
    (is_moved ? out.rows : rows).push_back(cases.rows[row]);
    const auto first = cases.cells.begin() + static_cast<std::ptrdiff_t>(row * columns);
    std::vector<TableCell>& to = is_moved ? out.cells : cells;
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(columns));
  }
  cases.rows = std::move(rows);
  cases.cells = std::move(cells);
  return out;
}

}  // namespace komuz::engine
