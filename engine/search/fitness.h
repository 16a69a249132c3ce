// SPDX-License-Identifier: Apache-2.0
// The result of a proposal, for search methods.
#pragma once
#include <vector>

#include "engine/results/results.h"
#include "engine/search/row_fitness.h"

namespace komuz::engine {

[[nodiscard]] inline Fitness fitness_of(const Results& results, u32 row) {
  return fitness_of(results.score, results.rows[row]);
}
struct Found {
  Fitness fitness;
  u64 behaviour = 0;  // from the variant's row (results.h)
  // For each case, the smaller the better, and infinite if it was bad. Empty if the program was not run, was looked
  // at before, or nobody asks for losses.
  std::vector<f64> case_losses;
};
// The losses of each case, from the row's case scores in the results; empty if there are none.
[[nodiscard]] std::vector<f64> case_losses_of(const Results& results, u32 row);

}  // namespace komuz::engine
