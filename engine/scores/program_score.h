// SPDX-License-Identifier: Apache-2.0
// The score of a program on all cases, and the row that follows from it.
#pragma once
#include "engine/scores/result_row.h"
#include "lang/cases.h"

namespace komuz::engine {

struct Tally {
  u32 passed = 0;
  u32 bad_cases = 0;          // including those that were not run because an earlier one was bad
  u32 first_failure = kNone;  // the first case that did not pass
  u32 first_bad = kNone;      // the first bad case
  Trap first_bad_trap = Trap::None;  // None: it was a value
  f64 error_sum = 0;                 // with an error score; of values, their sum; of r2, SSE
  f64 score = 0;                     // without bad cases, and of an exact score
  u64 fuel = 0;
  u64 behaviour = 0;
  u32 cases_run = 0;
  bool is_left =
      false;  // it needs more ticks elsewhere (ScoreLimits::at_fuel): nothing else counts
  bool is_cut_off = false;  // it could not reach the least score any more: nothing else counts
  bool operator==(const Tally&) const = default;
};

// An error by the weight of its case; a case without a weight has none.
[[nodiscard]] HD f64 weighted(f64 error, f64 weight) { return weight == 0 ? 0.0 : error * weight; }
// The error that a case adds to a sum: 0 if it ends in the expected trap, and a NaN if it is bad. `error`: that of
// its cells, weighted.
[[nodiscard]] HD f64 case_error(Trap trap, Trap expected, f64 error, f64 weight) {
  if (weight == 0) return 0.0;
  if (trap == Trap::None && expected == Trap::None) return error;
  return trap == expected ? 0.0 : __builtin_bit_cast(f64, kCanonicalNan64);
}

// `has_failure`: a case's details are kept. `failure_trap`: how that case ended, None for a value.
HD void write_row(const Tally& tally, ScoreKind kind, bool has_failure, Trap failure_trap,
                  ResultRow& row) {
  if (tally.is_cut_off) {
    row.status = Status::Unscored;
    return;
  }
  const bool exact = kind == ScoreKind::Exact;
  const bool failure_trapped = has_failure && failure_trap != Trap::None;
  row.passed = tally.passed;
  row.cases_run = tally.cases_run;
  row.fuel = tally.fuel;
  row.behaviour = tally.behaviour;
  row.bad_cases = tally.bad_cases;
  row.first_trap = exact && failure_trapped ? failure_trap : tally.first_bad_trap;
  // The mean of infinities of both signs is undefined.
  const bool is_nan = tally.score != tally.score;
  row.scored = exact || (tally.bad_cases == 0 && !is_nan);
  if (!row.scored) {
    row.status = Status::Trap;
    return;
  }
  row.score = tally.score;
  if (!exact || !has_failure) {
    row.status = Status::Ok;
  } else {
    row.status = failure_trapped ? Status::Trap : Status::Wrong;
  }
}

}  // namespace komuz::engine
