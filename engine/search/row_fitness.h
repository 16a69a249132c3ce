// SPDX-License-Identifier: Apache-2.0
// The fitness of a variant, from its row. Devices that search use the same code.
#pragma once
#include "base/hash.h"
#include "engine/scores/result_row.h"

namespace komuz::engine {

// Orders variants like the ranking (results.h), except that equals stay equal.
struct Fitness {
  bool is_unscored = true;  // it trapped, or gave a NaN
  f64 loss = 0;  // the score, negated where larger is better; if unscored, the number of bad cases
  u64 fuel = 0, code_bytes = 0;

  // True if this one is better.
  HD bool operator<(const Fitness& other) const {
    if (is_unscored != other.is_unscored) return other.is_unscored;
    if (loss != other.loss) return loss < other.loss;
    if (fuel != other.fuel) return fuel < other.fuel;
    return code_bytes < other.code_bytes;
  }
};
[[nodiscard]] HD Fitness fitness_of(ScoreKind kind, const ResultRow& row) {
  Fitness out{!row.scored, loss_of(kind, row.score), row.fuel, row.code_bytes};
  if (!row.scored) out.loss = was_run(row) ? row.bad_cases : __builtin_inf();
  return out;
}

// The loss of a case, from its score (score.h): infinite if the case is bad.
[[nodiscard]] HD f64 case_loss(ScoreKind kind, f64 score) {
  if (score != score) return __builtin_inf();
  return (is_larger_case_better(kind) ? -1 : 1) * score;
}

// Equal for equal costs. Losses that differ only by rounding, as of a sum whose terms change places, mostly count as
// equal.
[[nodiscard]] HD u64 cost_hash(const Fitness& fitness) {
  constexpr u32 kBits = 22;  // of the 52 behind the point
  const u64 loss = (__builtin_bit_cast(u64, fitness.loss) + (u64{1} << (kBits - 1))) >> kBits;
  Hash128 hash;
  hash.add(fitness.is_unscored);
  hash.add(loss);
  hash.add(fitness.fuel);
  hash.add(fitness.code_bytes);
  return hash.low ^ hash.high;
}

// What a device knows of a program that it has run.
struct FoundProgram {
  Fitness fitness;
  u64 behaviour;
};

}  // namespace komuz::engine
