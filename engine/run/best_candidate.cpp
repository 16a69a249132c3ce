// SPDX-License-Identifier: Apache-2.0
#include "engine/run/best_candidate.h"

#include <algorithm>
#include <limits>

#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "engine/sketch/unused_copies.h"
#include "engine/values/value_text.h"

namespace komuz::engine {

void BestCandidate::see(const ResultRow& row, const Candidate& candidate, std::string_view source,
                        const ScoreLine& line) {
  if (!row.scored) return;
  const RankKey key = rank_key(score_, row);
  if (key_ && !(key < *key_)) return;
  key_ = key;
  id_ = candidate.id;
  source_ = candidate.source;
  compiled_ = source;
  line_ = line;
  decisions_.assign(candidate.decisions.begin(), candidate.decisions.end());
  number_ = candidate.number;
}

void BestCandidate::write_source(const SketchProgram* sketch, Results& results) const {
  if (!key_) return;
  results.best_source = compiled_;
  if (fits_line(score_) && line_.is_finite()) results.best_line = line_;
  if (results.head) results.head->best_line = results.best_line;
  Decisions decisions;
  if (sketch != nullptr && candidate().is_variant() &&
      decisions_of(sketch->plan, candidate(), decisions)) {
    Fill fill(sketch->source, sketch->plan);
    if (fill.write(decisions, results.best_source))
      drop_unused_copies(sketch->copies, sketch->own_size, fill, results.best_source);
  }
}

void BestCandidate::list_cases(CandidateRunner& runner, Results& results) const {
  const Suite& suite = results.suite;
  if (!key_ || is_value_score(results.score) || suite.result_types.size() != 1 ||
      suite.result_types[0] == Scalar::Bool)
    return;
  CandidateResult unused;
  static_cast<void>(runner.identify(candidate()));
  if (!runner.compile(candidate(), {}, unused) || !runner.accept(suite, unused)) return;
  BestCases& best = results.best;
  best.row = results.head ? kNone : results.ranking.front();
  const u32 cases = std::min(suite.count, BestCases::kMost);
  runner.list_values(suite, cases, best.actual);
  for (u32 i = 0; i < cases; ++i)
    best.expected.push_back(suite.expected_traps[i] == Trap::None
                                ? cell_as_f64(suite.result_types[0], suite.expected_cell(0, i))
                                : std::numeric_limits<f64>::quiet_NaN());
}

}  // namespace komuz::engine
