// SPDX-License-Identifier: Apache-2.0
// Scores the outcomes of a WarpDevice where they lie, so that only a few numbers of each program come to the host,
// and not the outcome of each case. There are two scorers: one for a GPU, and the lockstep emulator, which proves the
// same code (warp_score.h) without a GPU.
//
//   scorer->load_suite(suite, kind, tolerance);   // once
//   device->run(batch, {.cases = suite.count, .fetches = false});
//   scorer->score(device->resident(), programs, limits);
//   scorer->scored(7)                             // the eighth program; until the next call
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/device/score_task.h"
#include "engine/results/score.h"

namespace komuz::engine {

class OutcomeScorer {
 public:
  virtual ~OutcomeScorer() = default;

  // Keeps a copy of what it needs of the suite.
  Problem load_suite(const Suite& suite, ScoreKind kind, f64 tolerance);
  // Of programs that ran on all cases of the suite.
  Problem score(const vm::ResidentOutcomes& outcomes, u32 programs, const ScoreLimits& limits);
  // The same, but the scores stay beside the outcomes until the next call. There is a score for each program.
  Result<const ProgramScore*> score_there(const vm::ResidentOutcomes& outcomes, u32 programs,
                                          const ScoreLimits& limits);

  // Says whether the scores of single cases stay there as well, from now on.
  void keep_case_scores(bool keeps) { task_.keeps_case_scores = keeps; }
  // The case scores of the last call's programs, one program after the other (score.h, case scores).
  [[nodiscard]] const f64* case_scores_there() const { return answer_.case_scores; }

  // The basis of a suite's scores.
  [[nodiscard]] const ScoreBasis& basis() const { return *basis_; }

  struct Scored {
    Tally tally;
    ScoreLine line;        // of a score that fits one
    u32 shown = kNone;     // the first bad case, or else the first that failed
    OutcomesView outcome;  // of that case alone: one row
    [[nodiscard]] bool traps() const { return shown != kNone && outcome.traps[0] != Trap::None; }
  };
  // The outcome is the scorer's own, and the caller may change it once.
  [[nodiscard]] Scored scored(u32 program);

 protected:
  // Columns of a suite that are copied to the outcomes' memory.
  struct SuiteColumns {
    std::span<const u64> expected, keys;
    std::span<const Trap> expected_traps;
    std::span<const f64> tolerances, floors, measures, weights, deviations;
    std::span<const Scalar> types;
  };
  // The results of a task.
  struct Answer {
    // Scores beside the outcomes.
    const ProgramScore* there = nullptr;
    const f64* case_scores = nullptr;  // null: they are not kept
    // Scores on the host, if they are fetched.
    std::span<ProgramScore> scores;
    std::span<u64> shown_cells;
  };
  // Points the columns of the task to copies of these.
  virtual Problem load(const SuiteColumns& columns, ScoreTask& task) = 0;
  // Gives `task` room for its results, runs it, and fetches these, or does not.
  virtual Problem run(ScoreTask task, bool fetches, Answer& out) = 0;

 private:
  [[nodiscard]] ScoreTask task_of(const vm::ResidentOutcomes& outcomes, u32 programs,
                                  const ScoreLimits& limits) const;

  ScoreTask task_{};
  std::optional<ScoreBasis> basis_;
  Answer answer_;
};

// A scorer for outcomes in the memory of the host. `seed` as in emulated_warp_device.
[[nodiscard]] std::unique_ptr<OutcomeScorer> emulated_outcome_scorer(u64 seed = 1);

Result<std::unique_ptr<OutcomeScorer>> open_cuda_outcome_scorer(int gpu);
// A scorer for outcomes in this device's memory.
Result<std::unique_ptr<OutcomeScorer>> open_outcome_scorer(const vm::WarpDevice& device);

}  // namespace komuz::engine
