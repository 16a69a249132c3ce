// SPDX-License-Identifier: Apache-2.0
// What the warps of a device are given to score, and what they give back. Plain pointers, into memory of the device or, under
// the emulator, of the host.
#pragma once
#include "engine/scores/line_fit.h"
#include "engine/scores/program_score.h"
#include "engine/scores/score_cells.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

// What scores sum, as ScoreKind (results.h) says it to a device.
enum class ScoreSum : u8 {
  Passed,  // nothing but the cases that pass
  Errors,
  Line,  // what a line through the values needs (line_fit.h), beside squared errors
  Values,
};

// What a program comes to on all cases; numbers of cases are kNone (~0) where there is none.
struct ProgramScore {
  f64 sum;  // of errors or values
  LineSums line;
  u64 fuel;
  u64 behaviour;
  u32 passed;
  u32 bad_cases;
  u32 first_failure;
  u32 first_bad;
  u32 shown;  // the case whose details are kept: the first bad one, or else the first that fails
  u32 place, depth;  // of that case, as in OutcomesView
  u32 cases_run;
  u64 ticks;
  Trap trap;
  bool is_cut_off;  // nothing else counts
  bool is_left;     // nor here
};

static_assert(sizeof(ProgramScore) == 120);

[[nodiscard]] HD Tally tally_of(const ProgramScore& score, ScoreKind kind, const LineBasis& basis) {
  Tally out;
  out.passed = score.passed;
  out.bad_cases = score.bad_cases;
  out.first_failure = score.first_failure;
  out.first_bad = score.first_bad;
  if (score.first_bad != kNone) out.first_bad_trap = score.trap;
  out.error_sum = score.sum;
  if (kind == ScoreKind::Correlation)
    out.error_sum = (1 - fit_line(score.line, basis).r2) * basis.total_squares;
  if (score.bad_cases == 0)
    out.score = score_of(kind, out.error_sum, score.passed, basis.total_squares);
  out.fuel = score.fuel;
  out.behaviour = score.behaviour;
  out.cases_run = score.cases_run;
  out.is_left = score.is_left;
  out.is_cut_off = score.is_cut_off;
  return out;
}

struct ScoreTask {
  // The suite: columns of `cases` rows.
  const u64* expected;  // one column for each cell of a result
  const Trap* expected_traps;
  const f64* tolerances;  // null: all are 0
  // One for each cell of a result; null where there are none.
  const f64 *floors, *relative_floors;
  const u64* keys;
  const f64* deviations;  // null unless ScoreSum::Line
  const Scalar* types;    // of each cell of a result
  u32 cells, cases;
  ScoreSum sums;
  ErrorKind error;
  f64 inverse_unit;         // of squares
  bool has_variable_parts;  // only floats have a tolerance
  bool hides_tick;          // slice_entry.h: one tick of each case is not the entry's
  // When a program ends before its last case (ScoreLimits).
  bool ends_at_failure;
  bool ends_at_fuel;
  bool may_cut;
  bool is_larger_better, compares_with_mean;
  f64 least_loss;
  LineBasis line;
  u32 cut_step;

  vm::ResidentOutcomes outcomes;
  u32 programs;
  ProgramScore* scores;  // one for each program
  u64* shown_cells;      // `cells` for each program: of the case whose details are kept
  bool keeps_case_scores;
  f64* case_scores;  // then of each program what each case brought, as Scorer says it; else null
};

}  // namespace komuz::engine
