// SPDX-License-Identifier: Apache-2.0
// Outcomes that an emulated warp scores, as a device does.
#pragma once
#include <gtest/gtest.h>

#include "engine/device/outcome_scorer.h"

namespace komuz::engine::test {

// The outcomes cover all cases of the suite, and may have more rows.
inline OutcomeScorer::Scored scored_on_device(OutcomeScorer& scorer, const OutcomesView& outcomes,
                                              const ScoreLimits& limits = {}) {
  const vm::ResidentOutcomes resident = {
      outcomes.values.data(), outcomes.traps.data(), outcomes.places.data(),
      outcomes.depths.data(), outcomes.fuel.data(),  static_cast<u32>(outcomes.traps.size())};
  EXPECT_EQ(scorer.score(resident, 1, limits).text(), "");
  return scorer.scored(0);
}

inline Tally tally_on_device(const Suite& suite, ScoreKind kind, f64 tolerance,
                             const OutcomesView& outcomes, const ScoreLimits& limits = {}) {
  const std::unique_ptr<OutcomeScorer> scorer = emulated_outcome_scorer();
  EXPECT_EQ(scorer->load_suite(suite, kind, tolerance).text(), "");
  return scored_on_device(*scorer, outcomes, limits).tally;
}

// The same for the score of each case.
inline std::vector<f64> case_scores_on_device(const Suite& suite, ScoreKind kind, f64 tolerance,
                                              const OutcomesView& outcomes) {
  const std::unique_ptr<OutcomeScorer> scorer = emulated_outcome_scorer();
  EXPECT_EQ(scorer->load_suite(suite, kind, tolerance).text(), "");
  EXPECT_EQ(scorer->case_scores_there(), nullptr);
  scorer->keep_case_scores(true);
  static_cast<void>(scored_on_device(*scorer, outcomes));
  const f64* const scores = scorer->case_scores_there();
  return {scores, scores + suite.count};
}

}  // namespace komuz::engine::test
