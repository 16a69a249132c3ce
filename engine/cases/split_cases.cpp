// SPDX-License-Identifier: Apache-2.0
// Selection sampling (Fan, Muller and Rezucha, 1962): each case is taken with the share that is still wanted of those that are left.
#include "engine/cases/split_cases.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"

namespace komuz::engine {

size_t cases_in_share(size_t cases, f64 share) {
  const auto wanted = static_cast<size_t>(std::round(share * static_cast<f64>(cases)));
  return std::clamp<size_t>(wanted, 1, cases - 1);
}

CasesTable split_cases(CasesTable& cases, size_t moved, u64 seed) {
  cases.left_out = {};
  std::vector<u32> away, stay;
  Random random(seed);
  const size_t count = cases.rows.size();
  for (size_t row = 0; row < count; ++row) {
    const bool is_moved = random.below(count - row) < moved - away.size();
    (is_moved ? away : stay).push_back(static_cast<u32>(row));
  }
  CasesTable out = cases;
  keep_rows(away, out);
  keep_rows(stay, cases);
  return out;
}

}  // namespace komuz::engine
