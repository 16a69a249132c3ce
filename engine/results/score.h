// SPDX-License-Identifier: Apache-2.0
// Scores outcomes against a suite.
//
// A case passes when it ends as expected: in the expected trap; or in a value whose every cell equals the expected one
// (IEEE for floats), is a NaN where a NaN was expected, or is within the tolerance T of the case:
//   |actual - expected| <= T * max(F, |actual|, |expected|), for finite numbers, in f64, with the floor F of score_scale.h.
// Where the result's type has lists, sums or Options, only floats have a tolerance: lengths and alternatives are equal or not.
// Error scores, which such types do not have, sum over cases, a case's error being the sum over its cells. A case is bad
// when it traps or gives a NaN where none was expected, or a value where a trap or a NaN was. Of a cell the error is, in f64,
//   absolute   |actual - expected|
//   squared    ((actual - expected) / U)², with the unit U of score_scale.h, which is 1 but for data far from 1
//   relative   |actual - expected| / min(max(|expected|, F), the largest finite number), with the floor F of score_scale.h: the
//              sum, not the mean, of what the mean absolute percentage error adds up. Where 0 is expected it is |actual| / F,
//              where an infinity is and another value was given, infinite.
// r2 is the coefficient of determination, 1 - SSE / SST, of results that are one number: SSE is the sum of squared errors, SST
// that of (expected - mean)² over the cases that expect a number, the mean being that of these; both are in units U². It is 1 at
// best, 0 for the mean as a constant, and below for what is worse. Without two different expected numbers, all finite, there is
// none, nor where they differ by no more than rounding (line_fit.h).
// correlation is the r2 of a · actual + b with the a and b for which that is largest (linear scaling; Keijzer, 2003): the square of the
// coefficient of correlation, 0 where actual numbers do not vary by more than rounding (line_fit.h). SSE is that of the line. On
// cases that were held out the line is that of the others.
// A value score has no expectations: it is the mean over cases of the number that the entry gives; a case that traps or
// gives a NaN is bad.
// Sums are f64: case i goes into partial i mod 64 in rising i; then the partials are halved by adding the upper half to
// the lower until one is left.
// A program's behaviour is a hash of what it did on every case: of its values' cells, bit by bit, and of the kinds of its traps;
// fuel and places do not count. A column's hash is the sum modulo 2⁶⁴ of its cells, folded, times the keys of their cases,
// so that slices do not show; columns and traps are hashed one behind the other. Keys are random: two programs that
// do different things have the same hash with a probability of 2⁻⁴⁸ or less.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "engine/cases/score_scale.h"
#include "engine/results/results.h"
#include "engine/scores/line_fit.h"
#include "engine/scores/program_score.h"
#include "engine/scores/score_cells.h"
#include "vm/vm.h"

namespace komuz::engine {

struct ScoreLoops;

// How the numbers vary that cases expect.
struct ExpectedSpread {
  enum class Kind : u8 {
    Varies,
    NoNumbers,
    Equal,    // all are the same one
    Rounded,  // they differ by no more than rounding
    NotFinite,
  };
  Kind kind = Kind::NoNumbers;
  f64 mean = 0;  // in units, as what follows
  LineBasis basis;
  // Of each case what is expected, less the mean; 0 where that is no number.
  std::vector<f64> deviations;
};
[[nodiscard]] ExpectedSpread spread_of(const Suite& suite, f64 unit);

// A line, and the mean that was the expected one where it was fitted.
struct FittedLine {
  Line line;
  f64 mean = 0;
};

// What a score needs of a suite beside its cases.
struct ScoreBasis {
  // Scales are those of the suite, where it has some, else they follow from it.
  ScoreBasis(const Suite& suite, ScoreKind kind, f64 tolerance);
  // The line of a correlation is this one, whatever values are.
  void use_line(const Suite& suite, const FittedLine& line);

  ScoreKind kind;
  ErrorKind error;              // where the score has errors
  std::vector<f64> tolerances;  // of every case; empty: all are 0
  // Of every cell; empty: there are none.
  std::vector<f64> floors, relative_floors;
  f64 inverse_unit = 1;
  // Of r2 and correlation.
  LineBasis line;
  f64 mean = 0;                 // what deviations are from
  std::vector<f64> deviations;  // of correlation
  std::optional<Line> fixed_line;

  // As error_of() takes it.
  [[nodiscard]] f64 measure(size_t cell) const {
    return relative_floors.empty() ? inverse_unit : relative_floors[cell];
  }
  [[nodiscard]] f64 score_of(f64 sum, u32 passed) const {
    return engine::score_of(kind, sum, passed, line.total_squares);
  }
};

// When a run may end before its last case. Of other scores than exact ones every run ends with the kCutStep cases in which the first
// bad one is, but where case scores are kept: nothing behind it changes that there is no score. What was not run counts as bad then.
struct ScoreLimits {
  bool at_failure = false;  // at the first case that fails; exact scores only
  // Where the score is going to be worse than this one, which is asked at every kCutStep cases; not of value scores. Sums of
  // errors never fall, as f64 additions of what is not negative are monotone; of an exact score the cases that are
  // left may all pass. Of a correlation nothing is known before the last case. A bad case leaves no score. None: never.
  std::optional<f64> least_score;
  // Before the first case that has trapped FUEL, where the score is not settled by then: it was given less than it may take.
  bool at_fuel = false;
};
inline constexpr u32 kCutStep = 256;

// A workspace for one thread. Cases arrive in slices, in order; each but the last has a multiple of 64 cases.
class Scorer {
 public:
  // The level changes nothing but the time that it takes.
  Scorer(const Suite& suite, ScoreKind kind, f64 tolerance, SimdLevel level = best_simd_level());
  // From the next begin() on; of a correlation.
  void use_line(const FittedLine& line) { basis_.use_line(*suite_, line); }

  void begin(const ScoreLimits& limits = {});
  // From the next begin() on, what each case brought is kept, too: 1 or 0 with an exact score, else its error or value; a NaN
  // for a bad case.
  void keep_case_scores() { keeps_case_scores_ = true; }
  [[nodiscard]] std::vector<f64>& case_scores() { return case_scores_; }
  // The first `rows` of the outcomes, which may have more.
  void add(u32 rows, const OutcomesView& outcomes);
  [[nodiscard]] Tally finish();
  // Of a correlation, once it is finished.
  [[nodiscard]] FittedLine fitted_line() const { return {fitted_, basis_.mean}; }
  // Do no more cases count? What is added then changes nothing.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  // Does a bad case, if it is the first, end the run?
  [[nodiscard]] bool settles() const {
    return basis_.kind != ScoreKind::Exact && !keeps_case_scores_;
  }
  [[nodiscard]] bool ends_at_failure() const { return limits_.at_failure; }
  // Would it, with the first `rows` of these, have come to a case that ends the run, a failing or a bad one?
  [[nodiscard]] bool is_settled(u32 rows, const OutcomesView& outcomes);
  // Fuel of the cases so far.
  [[nodiscard]] u64 ticks() const { return tally_.fuel; }
  // Of the slice added last: the row of the run's first failing case, if it lies there; else kNone. Of an error score that of
  // the first bad case, where there is one, which says more than one before it that is not quite right.
  [[nodiscard]] u32 first_failure_in_slice() const { return slice_failure_; }

 private:
  // Cases of a slice that are looked at together, from next_case_ on.
  struct Part {
    const OutcomesView& outcomes;
    u32 first, rows;  // of the slice
    [[nodiscard]] const u64* values(size_t cell) const {
      return outcomes.values.data() + cell * outcomes.traps.size() + first;
    }
    [[nodiscard]] const Trap* traps() const { return outcomes.traps.data() + first; }
  };
  void add_part(Part part);
  [[nodiscard]] u32 count_failures(const Part& part, bool any_trap);
  void mark_failures(const Part& part, bool any_trap);
  void add_errors(const Part& part, bool any_trap);
  void add_values(const Part& part);
  void add_to_line(const Part& part, bool any_trap);
  // The error of the line takes the place of that of the values.
  void finish_line();
  [[nodiscard]] f64 sum_of_misses() const;
  void add_behaviour(const Part& part, bool any_trap);
  [[nodiscard]] const u64* expected(size_t cell) const {
    return suite_->expected_column(cell) + next_case_;
  }
  [[nodiscard]] const Trap* expected_traps() const {
    return suite_->expected_traps.data() + next_case_;
  }
  // Is even the best that the cases that are left can bring worse than the least score?
  [[nodiscard]] bool falls_short() const;
  // At the end of each kCutStep cases.
  void consider_end(bool may_cut);

  // Values of one cell that must be equal: most candidates on most suites.
  [[nodiscard]] bool is_one_cell(bool any_trap) const {
    return !any_trap && !keeps_case_scores_ && suite_->result_types.size() == 1 &&
           basis_.tolerances.empty();
  }

  const Suite* suite_;
  ScoreBasis basis_;
  const ScoreLoops* loops_;
  std::vector<u64> failed_;  // of the slice: 0 or 1
  std::vector<f64> errors_;  // of the slice
  bool keeps_case_scores_ = false;
  std::vector<f64> case_scores_;  // of the cases so far
  std::array<f64, 64> partials_{};
  // Of a correlation.
  LineFit line_;
  Line fitted_;
  std::vector<f64> values_;  // by case, as far as they have come
  std::vector<u64> hashes_;  // of each column of values
  u64 trap_hash_ = 0;
  ScoreLimits limits_;
  bool has_ended_ = false;
  Tally tally_;
  u32 next_case_ = 0;
  u32 slice_failure_ = kNone;
};

}  // namespace komuz::engine
