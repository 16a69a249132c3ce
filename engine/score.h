// SPDX-License-Identifier: Apache-2.0
// Scores outcomes against a suite.
//
// A case passes when it ends as expected: in the expected trap; or in a value whose every cell equals the expected one
// (IEEE for floats), is a NaN where a NaN was expected, or is within the tolerance T of the case:
//   |actual - expected| <= T * max(1, |actual|, |expected|), for finite numbers, in f64.
// Where the result's type has lists, sums or Options, only floats have a tolerance: lengths and alternatives are equal or not.
// Error scores, which such types do not have, sum over cases, a case's error being the sum over its cells. A case is bad when it traps or gives a NaN
// where none was expected, or a value where a trap or a NaN was.
// A value score has no expectations: it is the mean over cases of the number that the entry gives; a case that traps or
// gives a NaN is bad.
// Sums are f64: case i goes into partial i mod 64 in rising i; then the partials are halved by adding the upper half to
// the lower until one is left.
#pragma once
#include <array>
#include <vector>

#include "engine/results.h"
#include "vm/vm.h"

namespace komuz::engine {

struct ScoreLoops;

struct Tally {
  u32 passed = 0;
  u32 bad_cases = 0;
  u32 first_failure = kNone;         // the first case that did not pass
  u32 first_bad = kNone;             // the first bad case
  Trap first_bad_trap = Trap::None;  // None: it was a value
  f64 error_sum = 0;                 // with an error score; of values, their sum
  u64 fuel = 0;
  bool operator==(const Tally&) const = default;
};

// A workspace for one thread. Cases arrive in slices, in order; each but the last has a multiple of 64 cases.
class Scorer {
 public:
  // The level changes nothing but the time that it takes.
  Scorer(const Suite& suite, ScoreKind kind, f64 tolerance, SimdLevel level = best_simd_level());

  void begin();
  // The first `rows` of the outcomes, which may have more.
  void add(u32 rows, const OutcomesView& outcomes);
  [[nodiscard]] Tally finish();
  // Fuel of the cases so far.
  [[nodiscard]] u64 ticks() const { return tally_.fuel; }
  // Of the slice added last: the row of the run's first failing case, if it lies there; else kNone.
  [[nodiscard]] u32 first_failure_in_slice() const { return slice_failure_; }

 private:
  [[nodiscard]] u32 count_failures(u32 rows, const OutcomesView& outcomes, bool any_trap);
  void mark_failures(u32 rows, const OutcomesView& outcomes, bool any_trap);
  void add_errors(u32 rows, const OutcomesView& outcomes, bool any_trap);
  void add_values(u32 rows, const OutcomesView& outcomes);

  // Values of one cell that must be equal: most candidates on most suites.
  [[nodiscard]] bool is_one_cell(bool any_trap) const {
    return !any_trap && suite_->result_types.size() == 1 && tolerances_.empty();
  }

  const Suite* suite_;
  ScoreKind kind_;
  const ScoreLoops* loops_;
  std::vector<f64> tolerances_;  // of every case; empty: all are 0
  std::vector<u64> failed_;      // of the slice: 0 or 1
  std::vector<f64> errors_;      // of the slice
  std::array<f64, 64> partials_{};
  Tally tally_;
  u32 next_case_ = 0;
  u32 slice_failure_ = kNone;
};

}  // namespace komuz::engine
