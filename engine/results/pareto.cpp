// SPDX-License-Identifier: Apache-2.0
// Finds the Pareto front of score, fuel and code size by one walk down the ranking. No row before another has a worse
// score, so a row is dominated if a row before it has no more fuel and no more bytes. The least bytes by fuel form a
// staircase (Kung, Luccio and Preparata, 1975: maxima of three-dimensional vectors in O(n log n)).
#include <map>

#include "engine/results/results.h"

namespace komuz::engine {

void mark_pareto_front(Results& results) {
  std::map<u64, u64> steps;  // bytes by fuel of the rows so far; bytes fall as fuel rises
  for (const u32 number : results.ranking) {
    ResultRow& row = results.rows[number];
    row.pareto = false;
    if (!row.scored) continue;
    const auto behind = steps.upper_bound(row.fuel);
    if (behind != steps.begin() && std::prev(behind)->second <= row.code_bytes) continue;
    row.pareto = true;
    auto step = steps.lower_bound(row.fuel);
    while (step != steps.end() && step->second >= row.code_bytes) step = steps.erase(step);
    steps.emplace_hint(step, row.fuel, row.code_bytes);
  }
}

}  // namespace komuz::engine
