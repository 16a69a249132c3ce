// SPDX-License-Identifier: Apache-2.0
// Scores outcomes against a suite.
//
// A case passes if it ends as expected: in the expected trap, or in a value each of whose cells passes. A cell passes
// if it equals the expected one (IEEE for floats), if both are a NaN, or if it is within the tolerance T of the case:
//   |actual - expected| <= T * max(F, |actual|, |expected|), for finite numbers, in f64; score_scale.h has the floor F.
// If the result's type has lists, sums or Options, only floats have a tolerance: lengths and alternatives must be
// equal.
//
// Error scores, which such types do not have, sum the errors of the cases; a case's error is the sum over its cells.
// A case is bad if it traps or gives a NaN where none was expected, or gives a value where a trap or a NaN was. The
// error of a cell is, in f64,
//   absolute   |actual - expected|
//   squared    ((actual - expected) / U)², with the unit U of score_scale.h, which is 1 except for data far from 1
//   relative   |actual - expected| / min(max(|expected|, F), the largest finite number), with the same floor F:
//              the summands of the mean absolute percentage error, summed and not averaged. If 0 is expected, it is
//              |actual| / F; if an infinity is expected and another value was given, it is infinite.
//   huber, log-cosh, quantile, logistic, hinge: losses.h, measured by the delta or the quantile of score_scale.h. The last two
//              take a number whose sign says the class; a class that expects a number above 0 is the second one
//   smape      2 · |actual - expected| / (|actual| + |expected|), and 0 if both are 0: from 0 to 2. If one is infinite
//              and the other is not, or is another infinity, it is 2, which is its limit.
// smape is the symmetric mean absolute percentage error, as a fraction: the sum of the errors divided by the number of
// cases and by that of the cells of a result. Cases that expect a trap count, too.
//
// r2 is the coefficient of determination, 1 - SSE / SST, for results that are one number. SSE is the sum of squared
// errors. SST is the sum of (expected - mean)² over the cases that expect a number, with the mean of these; both are
// in units U². r2 is at most 1. The mean as a constant has 0, worse programs have less. r2 needs two different
// expected numbers, all finite, that differ by more than rounding (line_fit.h).
//
// correlation is the r2 of a · actual + b with the a and b for which r2 is largest (linear scaling; Keijzer, 2003):
// the square of the coefficient of correlation, and 0 if the actual numbers do not vary by more than rounding
// (line_fit.h). SSE is that of the line. Held-out cases are scored with the line that fits the other cases.
//
// A value score has no expectations: it is the mean over cases of the number that the entry gives. A case that traps
// or gives a NaN is bad.
//
// If cases have weights, the error of a case is multiplied by its weight, and the means and sums that r2, correlation and
// smape compare with are weighted, too. A case whose weight is 0 has no error, and is never bad.
//
// Sums are f64: case i goes into partial i mod 64 in rising i. Then the partials are halved by adding the upper half
// to the lower until one is left.
//
// A program's behaviour is a hash of its outcomes on all cases: the cells of its values, bit by bit, and the kinds of
// its traps. Fuel and places do not count. A column's hash is the sum modulo 2⁶⁴ of its cells, folded, times the keys
// of their cases, so slices do not show. Columns and traps are hashed one behind the other. Keys are random: programs
// with different outcomes have the same hash with a probability of 2⁻⁴⁸ or less.
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

// How the expected numbers vary.
struct ExpectedSpread {
  enum class Kind : u8 {
    Varies,
    NoNumbers,
    Equal,    // all are the same one
    Rounded,  // they differ by no more than rounding
    NotFinite,
  };
  Kind kind = Kind::NoNumbers;
  f64 mean = 0;  // in units, like the following members
  LineBasis basis;
  // The expected number of each case minus the mean; 0 if the case expects no number.
  std::vector<f64> deviations;
};
[[nodiscard]] ExpectedSpread spread_of(const Suite& suite, f64 unit);

// A line, and the mean of the expected numbers that it was fitted to.
struct FittedLine {
  Line line;
  f64 mean = 0;
};

// What a score needs of a suite beside its cases.
struct ScoreBasis {
  // Uses the scale of the suite, if it has one; otherwise the scale follows from the suite.
  ScoreBasis(const Suite& suite, ScoreKind kind, f64 tolerance);
  // Fixes the line of a correlation, whatever the values are.
  void use_line(const Suite& suite, const FittedLine& line);

  ScoreKind kind;
  ErrorKind error;              // for scores with errors
  std::vector<f64> tolerances;  // of every case; empty: all are 0
  // For every cell: floors for tolerances, and what errors are measured by; empty if there are none.
  std::vector<f64> floors, measures;
  f64 inverse_unit = 1;
  // For r2 and correlation.
  LineBasis line;
  f64 mean = 0;                 // subtracted from expected numbers in `deviations`
  std::vector<f64> deviations;  // for correlation
  std::optional<Line> fixed_line;
  bool expects_numbers = false;  // for correlation: every case expects one
  // What the sum is a share of: SST for r2 and correlation, the number (or weight) of expected cells for smape.
  f64 whole = 1;

  // The argument `measure` of error_of().
  [[nodiscard]] f64 measure(size_t cell) const {
    return measures.empty() ? inverse_unit : measures[cell];
  }
  [[nodiscard]] f64 score_of(f64 sum, u32 passed) const {
    return engine::score_of(kind, sum, passed, whole);
  }
  [[nodiscard]] ScoreLine plain(const Line& fitted) const {
    return plain_line(fitted, mean, 1 / inverse_unit);
  }
};

// When a run may end before its last case. With every score but the exact ones, a run ends with the kCutStep cases
// that contain the first bad case, unless case scores are kept: it has no score, whatever follows. Cases that were
// not run then count as bad.
struct ScoreLimits {
  bool at_failure = false;  // at the first case that fails; exact scores only
  // Ends a run whose score will be worse than this one, which is checked every kCutStep cases; not for value scores.
  // Sums of errors never fall, since f64 additions of values that are not negative are monotone. For an exact score,
  // all cases that are left may still pass. A correlation is known only after the last case. A bad case leaves no
  // score. None: never.
  std::optional<f64> least_score;
  // Ends before the first case that trapped FUEL, unless the score is settled by then: the case was given less than
  // it may take.
  bool at_fuel = false;
};
inline constexpr u32 kCutStep = 256;

// A workspace for one thread. Cases arrive in slices, in order; each slice but the last has a multiple of 64 cases.
class Scorer {
 public:
  // `level` affects only speed.
  Scorer(const Suite& suite, ScoreKind kind, f64 tolerance, SimdLevel level = best_simd_level());
  // Takes effect from the next begin() on; for a correlation.
  void use_line(const FittedLine& line) { basis_.use_line(*suite_, line); }

  void begin(const ScoreLimits& limits = {});
  // From the next begin() on, the score of each case is kept, too: 1 or 0 for an exact score, else its error or
  // value; a NaN for a bad case.
  void keep_case_scores() { keeps_case_scores_ = true; }
  [[nodiscard]] std::vector<f64>& case_scores() { return case_scores_; }
  // Adds the first `rows` of the outcomes, which may have more.
  void add(u32 rows, const OutcomesView& outcomes);
  [[nodiscard]] Tally finish();
  // For a correlation, after finish().
  [[nodiscard]] FittedLine fitted_line() const { return {fitted_, basis_.mean}; }
  [[nodiscard]] ScoreLine score_line() const { return basis_.plain(fitted_); }
  // True if no more cases count. Adding more then changes nothing.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  // True if a first bad case ends the run.
  [[nodiscard]] bool settles() const {
    return basis_.kind != ScoreKind::Exact && !keeps_case_scores_;
  }
  [[nodiscard]] bool ends_at_failure() const { return limits_.at_failure; }
  // True if the run would end within the first `rows` of these outcomes, at a failing or bad case.
  [[nodiscard]] bool is_settled(u32 rows, const OutcomesView& outcomes);
  // Fuel of the cases so far.
  [[nodiscard]] u64 ticks() const { return tally_.fuel; }
  // The row of the run's first failing case, if it is in the slice added last; else kNone. With an error score, it is
  // the first bad case, if there is one, rather than an earlier case with an error.
  [[nodiscard]] u32 first_failure_in_slice() const { return slice_failure_; }

 private:
  // Cases of a slice that are handled together, from next_case_ on.
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
  struct Failures {
    u64 count = 0;
    u32 first = kNone;  // row of the part, if there is one and the run has had none before
  };
  [[nodiscard]] Failures failures_of_one_cell(const Part& part) const;
  void add_errors(const Part& part, bool any_trap);
  void add_values(const Part& part);
  void add_to_line(const Part& part, bool any_trap);
  // Replaces the error of the values by that of the line.
  void finish_line();
  [[nodiscard]] f64 sum_of_misses() const;
  void add_behaviour(const Part& part, bool any_trap);
  [[nodiscard]] const u64* expected(size_t cell) const {
    return suite_->expected_column(cell) + next_case_;
  }
  [[nodiscard]] bool has_weights() const { return !suite_->weights.empty(); }
  [[nodiscard]] f64 weight(u32 case_index) const {
    return has_weights() ? suite_->weights[case_index] : 1.0;
  }
  [[nodiscard]] std::span<const f64> weights(u32 first, u32 count) const {
    return has_weights() ? std::span(suite_->weights).subspan(first, count)
                         : std::span<const f64>();
  }
  [[nodiscard]] const Trap* expected_traps() const {
    return suite_->expected_traps.data() + next_case_;
  }
  // True if even the best outcome of the remaining cases gives a score worse than the least one.
  [[nodiscard]] bool falls_short() const;
  // Called after each kCutStep cases.
  void consider_end(bool may_cut);

  // True for values of one cell: most candidates on most suites.
  [[nodiscard]] bool is_one_cell(bool any_trap) const {
    return !any_trap && !keeps_case_scores_ && suite_->result_types.size() == 1 && !has_weights();
  }
  // True if cells of this type must be equal.
  [[nodiscard]] bool is_exact(Scalar type) const {
    return basis_.tolerances.empty() || (suite_->has_variable_parts && !is_float(type));
  }
  [[nodiscard]] const f64* tolerances() const { return basis_.tolerances.data() + next_case_; }

  const Suite* suite_;
  ScoreBasis basis_;
  const ScoreLoops* loops_;
  std::vector<u64> failed_;  // of the slice: 0 or 1
  std::vector<f64> errors_;  // of the slice
  bool keeps_case_scores_ = false;
  std::vector<f64> case_scores_;  // of the cases so far
  std::array<f64, 64> partials_{};
  // For a correlation.
  LineFit line_;
  Line fitted_;
  std::vector<f64> values_;  // by case so far
  std::vector<u64> hashes_;  // of each column of values
  u64 trap_hash_ = 0;
  ScoreLimits limits_;
  bool has_ended_ = false;
  Tally tally_;
  u32 next_case_ = 0;
  u32 slice_failure_ = kNone;
};

}  // namespace komuz::engine
