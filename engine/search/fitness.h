// SPDX-License-Identifier: Apache-2.0
// How good a variant is, for who searches: the order of the ranking (results.h), but that equals stay equal.
#pragma once
#include <tuple>
#include <vector>

#include "engine/results.h"

namespace komuz::engine {

struct Fitness {
  bool is_unscored = true;  // it trapped, or gave a NaN
  f64 loss = 0;  // the score, turned round where larger is better; of an unscored one its bad cases
  u64 fuel = 0, code_bytes = 0;

  // Is it better?
  bool operator<(const Fitness& other) const {
    return std::tie(is_unscored, loss, fuel, code_bytes) <
           std::tie(other.is_unscored, other.loss, other.fuel, other.code_bytes);
  }
};
[[nodiscard]] Fitness fitness_of(const Results& results, u32 row);
// What came of a proposal.
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
