// SPDX-License-Identifier: Apache-2.0
#include "engine/device/outcome_scorer.h"

namespace komuz::engine {

static_assert(kCutStep % 64 == 0);  // steps end between two rounds of partials (warp_score.h)

Problem OutcomeScorer::load_suite(const Suite& suite, ScoreKind kind, f64 tolerance) {
  basis_.emplace(suite, kind, tolerance);
  task_ = {};
  task_.cells = static_cast<u32>(suite.result_types.size());
  task_.cases = suite.count;
  task_.kind = kind;
  task_.sums = score_row(kind).sums;
  task_.error = basis_->error;
  task_.inverse_unit = basis_->inverse_unit;
  task_.has_variable_parts = suite.has_variable_parts;
  task_.hides_tick = suite.has_slices;
  task_.line = basis_->line;
  task_.whole = basis_->whole;
  task_.cut_step = kCutStep;
  const std::vector<u64> expected = suite.all_expected();
  return load({.expected = expected,
               .keys = suite.keys,
               .expected_traps = suite.expected_traps,
               .tolerances = basis_->tolerances,
               .floors = basis_->floors,
               .measures = basis_->measures,
               .weights = suite.weights,
               .deviations = basis_->deviations,
               .types = suite.result_types},
              task_);
}

ScoreTask OutcomeScorer::task_of(const vm::ResidentOutcomes& outcomes, u32 programs,
                                 const ScoreLimits& limits) const {
  ScoreTask task = task_;
  task.outcomes = outcomes;
  task.programs = programs;
  task.ends_at_failure = limits.at_failure && task.sums == ScoreSum::Passed;
  task.ends_at_fuel = limits.at_fuel;
  const bool grows = task.sums == ScoreSum::Passed || task.sums == ScoreSum::Errors;
  task.may_cut = limits.least_score && grows;
  task.least_loss = task.may_cut ? loss_of(basis_->kind, *limits.least_score) : 0;
  return task;
}

Problem OutcomeScorer::score(const vm::ResidentOutcomes& outcomes, u32 programs,
                             const ScoreLimits& limits) {
  return run(task_of(outcomes, programs, limits), true, answer_);
}
Result<const ProgramScore*> OutcomeScorer::score_there(const vm::ResidentOutcomes& outcomes,
                                                       u32 programs, const ScoreLimits& limits) {
  answer_ = {};
  if (Problem problem = run(task_of(outcomes, programs, limits), false, answer_)) return problem;
  return answer_.there;
}

OutcomeScorer::Scored OutcomeScorer::scored(u32 program) {
  ProgramScore& score = answer_.scores[program];
  Scored out;
  out.tally = tally_of(score, basis_->kind, basis_->line, basis_->whole);
  if (fits_line(basis_->kind)) out.line = basis_->plain(fit_line(score.line, basis_->line));
  out.shown = score.shown;
  out.outcome = {answer_.shown_cells.subspan(size_t{program} * task_.cells, task_.cells),
                 {&score.trap, 1},
                 {&score.place, 1},
                 {&score.depth, 1},
                 {&score.ticks, 1}};
  return out;
}

Result<std::unique_ptr<OutcomeScorer>> open_outcome_scorer(const vm::WarpDevice& device) {
  if (device.gpu() < 0) return emulated_outcome_scorer();
  return open_cuda_outcome_scorer(device.gpu());
}

}  // namespace komuz::engine
