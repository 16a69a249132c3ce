// SPDX-License-Identifier: Apache-2.0
#include "services/fit/judge.h"

#include <cmath>
#include <numeric>

#include "engine/candidates/load_modules.h"
#include "engine/engine.h"
#include "engine/run/evaluate.h"

namespace komuz::services {
namespace {

// By one score, with what each case contributed.
Problem evaluate(const engine::CasesTable& cases, engine::ScoreKind score, u32 threads,
                 std::vector<Formula>& formulas, engine::Results& results,
                 const std::stop_token& stop) {
  std::vector<engine::Candidate> candidates;
  std::vector<std::string> ids;
  for (size_t k = 0; k < formulas.size(); ++k) ids.push_back(std::to_string(k + 1));
  for (size_t k = 0; k < formulas.size(); ++k)
    candidates.push_back({.id = ids[k], .source = formulas[k].program, .error = {}});
  engine::CandidateList list(candidates);
  engine::ModuleLoader modules(nullptr);
  engine::EvaluateOptions options;
  options.programs.modules = &modules;
  options.ranking.score = score;
  options.machines.threads = threads;
  options.details.case_scores = engine::CaseScores::Kept;
  return engine::evaluate(list, cases, options, results, nullptr, nullptr, stop);
}

}  // namespace

Problem judge(const engine::CasesTable& cases, const JudgeOptions& options, JudgedRows rows,
              std::vector<Formula>& formulas, const std::stop_token& stop) {
  const auto errors_of = [rows](Formula& formula) -> FormulaErrors& {
    return rows == JudgedRows::Training ? formula.training : formula.held_out;
  };
  if (formulas.empty() || cases.rows.empty()) return {};
  engine::Results losses, explained;
  if (Problem problem = evaluate(cases, options.loss, options.threads, formulas, losses, stop))
    return problem;
  if (Problem problem = evaluate(cases, engine::ScoreKind::RSquared, options.threads, formulas,
                                 explained, stop))
    return problem;
  // Squares are in units of their own where they would leave the range of an f64.
  const f64 unit = losses.scale.unit;
  const f64 factor = options.loss == engine::ScoreKind::SquaredError ? unit * unit : 1;
  for (u32 row = 0; row < losses.rows.size() && row < formulas.size(); ++row) {
    FormulaErrors& errors = errors_of(formulas[row]);
    errors = {};
    const std::span<const f64> of_cases = losses.case_scores_of(row);
    if (!losses.rows[row].scored || of_cases.empty()) continue;
    errors.losses.assign(of_cases.begin(), of_cases.end());
    for (f64& loss : errors.losses) loss *= factor;
    errors.mean_loss = std::accumulate(errors.losses.begin(), errors.losses.end(), 0.0) /
                       static_cast<f64>(errors.losses.size());
    errors.r2 = explained.rows[row].scored ? explained.rows[row].score : 0;
    errors.is_known = std::isfinite(errors.mean_loss);
  }
  return {};
}

}  // namespace komuz::services
