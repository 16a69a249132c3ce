// SPDX-License-Identifier: Apache-2.0
#include "services/variants/worst_case.h"

#include "engine/results/failure_text.h"
#include "engine/results/worst_cases.h"
#include "engine/run/evaluate.h"
#include "engine/sketch/sketch_candidates.h"

namespace komuz::services {
namespace {

engine::CasesTable only_row(const engine::CasesTable& cases, u32 row) {
  engine::CasesTable one = cases;
  engine::keep_rows({&row, 1}, one);
  // Whatever is not equal is to be shown.
  one.rows.front().tolerance = engine::TableRow::kNoTolerance;
  return one;
}

}  // namespace

std::optional<WorstCase> find_worst_case(const engine::EvaluateOptions& options,
                                         const engine::CasesTable& cases,
                                         const engine::Results& results, u32 row,
                                         const std::stop_token& stop) {
  if (engine::is_value_score(results.score) || !results.typed) return std::nullopt;
  const engine::SketchProgram& sketch = *options.programs.sketch;
  engine::Decisions decisions;
  if (engine::read_variant_name(sketch.plan, results.id(row), decisions)) return std::nullopt;
  const engine::Candidate candidate{results.id(row), sketch.source, {}, decisions};
  const auto run = [&](const engine::EvaluateOptions& how, const engine::CasesTable& on,
                       engine::Results& out) {
    engine::CandidateList list({&candidate, 1});
    const Problem problem = engine::evaluate(list, on, how, out, nullptr, nullptr, stop);
    return !problem && out.complete && out.rows.size() == 1;
  };
  engine::EvaluateOptions how = options;
  how.programs.signature = results.suite.signature;
  how.details.keep_details = true;
  how.details.case_scores = engine::CaseScores::Kept;
  engine::Results scored;
  if (!run(how, cases, scored)) return std::nullopt;
  const std::vector<u32> worst = engine::worst_cases(results.score, scored.case_scores_of(0), 1);
  if (worst.empty() || worst[0] >= cases.rows.size()) return std::nullopt;
  // The words of that case, and nothing else.
  how.details.case_scores = engine::CaseScores::None;
  how.ranking.score = engine::ScoreKind::Exact;
  how.ranking.tolerance = 0;
  engine::Results shown;
  if (!run(how, only_row(cases, worst[0]), shown)) return std::nullopt;
  const auto failure = engine::findings_of(shown, 0).failure;
  if (!failure) return std::nullopt;
  return WorstCase{u64{worst[0]} + 1, failure->line, failure->arguments, failure->expected,
                   failure->found()};
}

}  // namespace komuz::services
