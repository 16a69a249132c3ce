// SPDX-License-Identifier: Apache-2.0
// The input and output of the warps that score. The plain pointers lead into memory of the device or, under the
// emulator, of the host.
#pragma once
#include "engine/scores/line_fit.h"
#include "engine/scores/program_score.h"
#include "engine/scores/score_cells.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

// The score of a program on all cases. Numbers of cases are kNone (~0) where there is none.
struct ProgramScore {
  f64 sum;  // of errors or values
  LineSums line;
  u64 fuel;
  u64 behaviour;
  u32 passed;
  u32 bad_cases;
  u32 first_failure;
  u32 first_bad;
  u32 shown;  // the case whose details are kept: the first bad one, else the first that fails
  u32 place, depth;  // of that case, as in OutcomesView
  u32 cases_run;
  u64 ticks;
  Trap trap;
  bool is_cut_off;  // all other fields are then meaningless
  bool is_left;     // likewise
};

static_assert(sizeof(ProgramScore) == 120);

// `basis`, `whole`: those of ScoreBasis (score.h).
[[nodiscard]] HD Tally tally_of(const ProgramScore& score, ScoreKind kind, const LineBasis& basis,
                                f64 whole) {
  Tally out;
  out.passed = score.passed;
  out.bad_cases = score.bad_cases;
  out.first_failure = score.first_failure;
  out.first_bad = score.first_bad;
  if (score.first_bad != kNone) out.first_bad_trap = score.trap;
  out.error_sum = score.sum;
  if (score_row(kind).sums == ScoreSum::Line)
    out.error_sum = (1 - fit_line(score.line, basis).r2) * basis.total_squares;
  if (score.bad_cases == 0) out.score = score_of(kind, out.error_sum, score.passed, whole);
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
  // For each cell of a result: floors for tolerances, and what errors are measured by; null if there are none.
  const f64 *floors, *measures;
  const f64* weights;  // of cases; null: all are 1
  const u64* keys;
  const f64* deviations;  // null unless ScoreSum::Line
  const Scalar* types;    // of each cell of a result
  u32 cells, cases;
  ScoreKind kind;
  ScoreSum sums;
  ErrorKind error;
  f64 inverse_unit;         // of squares
  bool has_variable_parts;  // only floats have a tolerance
  bool hides_tick;          // slice_entry.h: one tick of each case is not the entry's
  // Conditions on which a program ends before its last case (ScoreLimits).
  bool ends_at_failure;
  bool ends_at_fuel;
  bool may_cut;
  f64 least_loss;
  LineBasis line;
  f64 whole;  // ScoreBasis::whole
  u32 cut_step;

  vm::ResidentOutcomes outcomes;
  u32 programs;
  ProgramScore* scores;  // one for each program
  u64* shown_cells;      // for each program the `cells` of the case whose details are kept
  bool keeps_case_scores;
  f64* case_scores;  // case scores (Scorer) of each program; null: not kept
};

}  // namespace komuz::engine
