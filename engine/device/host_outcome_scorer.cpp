// SPDX-License-Identifier: Apache-2.0
// Scores under the lockstep emulator, one program after the other.
#include "base/group/emulated_machine.h"
#include "engine/device/outcome_scorer.h"
#include "engine/device/warp_score.h"

namespace komuz::engine {
namespace {

class EmulatedScorer final : public OutcomeScorer {
 public:
  explicit EmulatedScorer(u64 seed) : lockstep_(seed) {}

 protected:
  Problem load(const SuiteColumns& columns, ScoreTask& task) override {
    const auto keep = [](const auto& column, auto& copy) {
      copy.assign(column.begin(), column.end());
      return copy.data();
    };
    task.expected = keep(columns.expected, expected_);
    task.keys = keep(columns.keys, keys_);
    task.expected_traps = keep(columns.expected_traps, expected_traps_);
    task.tolerances = columns.tolerances.empty() ? nullptr : keep(columns.tolerances, tolerances_);
    task.floors = columns.floors.empty() ? nullptr : keep(columns.floors, floors_);
    task.measures = columns.measures.empty() ? nullptr : keep(columns.measures, measures_);
    task.weights = columns.weights.empty() ? nullptr : keep(columns.weights, weights_);
    task.deviations = keep(columns.deviations, deviations_);
    task.types = keep(columns.types, types_);
    return {};
  }

  Problem run(ScoreTask task, bool, Answer& out) override {
    scores_.assign(task.programs, ProgramScore{});
    shown_cells_.assign(size_t{task.programs} * task.cells, 0);
    task.scores = scores_.data();
    task.shown_cells = shown_cells_.data();
    case_scores_.assign(task.keeps_case_scores ? size_t{task.programs} * task.cases : 0, 0);
    task.case_scores = task.keeps_case_scores ? case_scores_.data() : nullptr;
    for (u32 program = 0; program < task.programs; ++program) {
      const std::string fault = lockstep_.run(
          [&](u32 lane) { WarpScore(EmulatedMachine(lockstep_, lane), &task).score(program); });
      if (!fault.empty())
        return device_problem("program " + std::to_string(program) + ": " + fault);
    }
    out = {scores_.data(), task.case_scores, scores_, shown_cells_};
    return {};
  }

 private:
  Lockstep lockstep_;
  std::vector<u64> expected_, keys_;
  std::vector<Trap> expected_traps_;
  std::vector<f64> tolerances_, floors_, measures_, weights_, deviations_;
  std::vector<Scalar> types_;
  std::vector<ProgramScore> scores_;
  std::vector<u64> shown_cells_;
  std::vector<f64> case_scores_;
};

}  // namespace

std::unique_ptr<OutcomeScorer> emulated_outcome_scorer(u64 seed) {
  return std::make_unique<EmulatedScorer>(seed);
}

}  // namespace komuz::engine
