// SPDX-License-Identifier: Apache-2.0
#include "engine/cuda/outcome_scorer.h"

namespace komuz::engine {
namespace {

static_assert(kCutStep % 64 == 0);  // steps end between two rounds of partials (warp_score.h)

ScoreSum sums_of(ScoreKind kind) {
  if (kind == ScoreKind::Exact) return ScoreSum::Passed;
  if (kind == ScoreKind::Correlation) return ScoreSum::Line;
  return is_value_score(kind) ? ScoreSum::Values : ScoreSum::Errors;
}

}  // namespace

std::string OutcomeScorer::load_suite(const Suite& suite, ScoreKind kind, f64 tolerance) {
  basis_.emplace(suite, kind, tolerance);
  task_ = {};
  task_.cells = static_cast<u32>(suite.result_types.size());
  task_.cases = suite.count;
  task_.sums = sums_of(kind);
  task_.error = error_kind(kind);
  task_.has_variable_parts = suite.has_variable_parts;
  task_.hides_tick = suite.has_slices;
  task_.is_larger_better = is_larger_better(kind);
  task_.compares_with_mean = compares_with_mean(kind);
  task_.total_squares = basis_->total_squares;
  task_.cut_step = kCutStep;
  return load({.expected = suite.expected,
               .keys = suite.keys,
               .expected_traps = suite.expected_traps,
               .tolerances = basis_->tolerances,
               .deviations = basis_->deviations,
               .types = suite.result_types},
              task_);
}

std::string OutcomeScorer::score(const vm::ResidentOutcomes& outcomes, u32 programs,
                                 const ScoreLimits& limits) {
  task_.outcomes = outcomes;
  task_.programs = programs;
  task_.ends_at_failure = limits.at_failure && task_.sums == ScoreSum::Passed;
  const bool grows = task_.sums == ScoreSum::Passed || task_.sums == ScoreSum::Errors;
  task_.may_cut = limits.least_score && grows;
  task_.least_loss = task_.may_cut ? loss_of(basis_->kind, *limits.least_score) : 0;
  return run(task_, answer_);
}

OutcomeScorer::Scored OutcomeScorer::scored(u32 program) {
  ProgramScore& score = answer_.scores[program];
  Scored out;
  out.tally.passed = score.passed;
  out.tally.bad_cases = score.bad_cases;
  out.tally.first_failure = score.first_failure;
  out.tally.first_bad = score.first_bad;
  if (score.first_bad != kNone) out.tally.first_bad_trap = score.trap;
  out.tally.error_sum = score.sum;
  if (task_.sums == ScoreSum::Line) {
    const Line line = fit_line(score.line, basis_->total_squares);
    out.tally.error_sum = (1 - line.r2) * basis_->total_squares;
  }
  if (score.bad_cases == 0) out.tally.score = basis_->score_of(out.tally.error_sum, score.passed);
  out.tally.fuel = score.fuel;
  out.tally.behaviour = score.behaviour;
  out.tally.is_cut_off = score.is_cut_off;
  out.shown = score.shown;
  out.outcome = {answer_.shown_cells.subspan(size_t{program} * task_.cells, task_.cells),
                 {&score.trap, 1},
                 {&score.place, 1},
                 {&score.depth, 1},
                 {&score.ticks, 1}};
  return out;
}

OpenedOutcomeScorer open_outcome_scorer(const vm::WarpDevice& device) {
  if (device.gpu() < 0) return {emulated_outcome_scorer(), {}};
  return open_cuda_outcome_scorer(device.gpu());
}

}  // namespace komuz::engine
