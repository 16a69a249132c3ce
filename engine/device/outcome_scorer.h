// SPDX-License-Identifier: Apache-2.0
// Scores what a WarpDevice ran where its outcomes lie, so that of each program a few numbers come to the host and not what each
// case gave. There are two: for a GPU, and the lockstep emulator, which proves the same code (warp_score.h) without one.
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
  // The same, and scores stay where outcomes lie, until the next call. There is one for each program.
  Result<const ProgramScore*> score_there(const vm::ResidentOutcomes& outcomes, u32 programs,
                                          const ScoreLimits& limits);

  // From now on what each case brought stays there, too, or does not.
  void keep_case_scores(bool keeps) { task_.keeps_case_scores = keeps; }
  // Of the programs of the last call one behind the other, of each what score.h says of case scores.
  [[nodiscard]] const f64* case_scores_there() const { return answer_.case_scores; }

  // What scores of a suite are made from.
  [[nodiscard]] const ScoreBasis& basis() const { return *basis_; }

  struct Scored {
    Tally tally;
    u32 shown = kNone;     // the first bad case, or else the first that failed
    OutcomesView outcome;  // of that case alone: one row
    [[nodiscard]] bool traps() const { return shown != kNone && outcome.traps[0] != Trap::None; }
  };
  // The outcome is the scorer's own, and may be changed once.
  [[nodiscard]] Scored scored(u32 program);

 protected:
  // Columns of a suite, to be copied to where outcomes lie.
  struct SuiteColumns {
    std::span<const u64> expected, keys;
    std::span<const Trap> expected_traps;
    std::span<const f64> tolerances, floors, relative_floors, deviations;
    std::span<const Scalar> types;
  };
  // What comes of a task.
  struct Answer {
    // Where outcomes lie.
    const ProgramScore* there = nullptr;
    const f64* case_scores = nullptr;  // null: they are not kept
    // On the host, where it is fetched.
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

// For outcomes in the memory of the host. `seed` as in emulated_warp_device.
[[nodiscard]] std::unique_ptr<OutcomeScorer> emulated_outcome_scorer(u64 seed = 1);

Result<std::unique_ptr<OutcomeScorer>> open_cuda_outcome_scorer(int gpu);
// For outcomes that lie in this device's memory.
Result<std::unique_ptr<OutcomeScorer>> open_outcome_scorer(const vm::WarpDevice& device);

}  // namespace komuz::engine
