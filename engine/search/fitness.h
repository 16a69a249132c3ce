// SPDX-License-Identifier: Apache-2.0
// What comes of a proposal, for who searches.
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
  u64 behaviour = 0;  // as of its row (results.h)
  // Of each case, the smaller the better, an infinity where it was bad; empty of what was not run, of a program that was
  // looked at before, and where nobody asks for them.
  std::vector<f64> case_losses;
};
// What each case cost, from the case scores that the results have of the row; empty: none.
[[nodiscard]] std::vector<f64> case_losses_of(const Results& results, u32 row);

}  // namespace komuz::engine
