// SPDX-License-Identifier: Apache-2.0
#include "services/results/plotted_results.h"

#include <limits>

namespace komuz::services {

PlottedResults::PlottedResults(const engine::Results& results) : results_(results) {
  scores_.reserve(results.rows.size());
  sizes_.reserve(results.rows.size());
  for (const engine::ResultRow& row : results.rows) {
    scores_.push_back(row.scored ? row.score : std::numeric_limits<f64>::quiet_NaN());
    sizes_.push_back(row.code_bytes);
  }
  if (!results.best_line) return;
  for (const f64 actual : results.best.actual)
    on_line_.push_back(results.best_line->slope * actual + results.best_line->intercept);
}

Better better_of(const engine::Results& results) {
  return engine::is_larger_better(results.score) ? Better::Larger : Better::Smaller;
}

std::string_view plotted_score(const engine::Results& results) {
  return results.score == engine::ScoreKind::Exact ? "cases passed"
                                                   : engine::score_name(results.score);
}

CandidateColumns PlottedResults::candidates() const {
  return {scores_, sizes_, better_of(results_), plotted_score(results_),
          [this](u64 row) { return std::string(results_.id(static_cast<u32>(row))); }};
}

CaseColumns PlottedResults::cases_of_best() const {
  return {results_.best.expected, results_.best_line ? on_line_ : results_.best.actual,
          [](u64 number) { return "case " + std::to_string(number); }};
}

std::string PlottedResults::draw() const {
  std::vector<std::string> drawings = {draw_score_against_size(candidates()),
                                       draw_convergence(candidates())};
  if (!results_.best.expected.empty())
    drawings.push_back(draw_actual_against_expected(cases_of_best()));
  return stack_drawings(drawings);
}

}  // namespace komuz::services
