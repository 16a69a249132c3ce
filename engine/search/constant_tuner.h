// SPDX-License-Identifier: Apache-2.0
// Tunes the points of a variant's grids while the rest of the variant stays: compass search with steps that double
// and halve (Kolda, Lewis and Torczon, 2003). A generation tries all directions at once. The losses of the trials
// give the minimum of a parabola through three points, or of a quadratic function of all grids, which the next
// generation tries.
//
// A sum of distances has a kink in each case, and no parabola fits it. A distance equals its square divided by its
// present value, so the minimum sought is that of a weighted sum of squares. The weights are made again after each
// move (iteratively reweighted least squares; Weiszfeld, 1937).
#pragma once
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/search/tuner.h"

namespace komuz::engine {

// One variant that is being tuned. The tuner asks for trials, is told their results, and moves to the best of them.
class ConstantTuner final : public Tuner {
 public:
  // `has_distances`: the losses of cases are distances, and the loss is their sum.
  ConstantTuner(const VariantPlan& plan, Decisions decisions, Found found, bool has_distances);

  // Appends trials for the next generation to `out`, at most `most`. Grids that find no room come first the next
  // time. Results of trials are remembered in case a trial comes up again.
  void propose(size_t most, std::vector<Decisions>& out) override;
  std::optional<size_t> learn(std::span<const Found> found) override;
  [[nodiscard]] const Fitness& fitness() const override { return here_.fitness; }
  // True if no neighbour on any grid is better, or the tuning has taken very long.
  [[nodiscard]] bool is_done() const override;

 private:
  // A grid of the variant.
  struct Axis {
    size_t at = 0;  // in the decisions
    u64 last = 0;   // point of the grid
    u64 step = 1;
    bool is_settled = false;  // neither neighbour is better
    bool is_real =
        false;  // the points are all numbers: one lies as far below zero as another one above
    std::optional<u32> guess;  // the point where a parabola has its minimum
  };
  static constexpr u32 kNoAxis = ~0u;
  struct Trial {
    u32 up = kNoAxis, down = kNoAxis;  // a step along these axes; none: a guess
    u32 other_up = kNoAxis;
    Decisions decisions;
    const Found* known = nullptr;  // from an earlier time
  };
  struct Known {
    Found found;
    u32 round = 0;
  };
  using FoundOfTrials = std::vector<const Found*>;

  void list_trials(size_t most);
  // False: there is something to propose.
  [[nodiscard]] bool knows_all();
  void keep(const Trial& trial, const Found& found);
  void forget();
  void add_guesses(size_t most);
  void add_steps(u32 axis);
  void add_pairs();
  void add(const Trial& trial, size_t most);
  [[nodiscard]] u32 stepped(u32 axis, i64 steps) const;
  // Sets the values that a quadratic function is fitted to: the losses, or weighted squares of distances.
  void take_losses(const FoundOfTrials& found);
  void learn_axes(const FoundOfTrials& found);
  void guess(Axis& axis, f64 down, f64 up) const;
  void guess_all(const FoundOfTrials& found);

  Decisions decisions_,
      before_;  // the present point, and the one before the last move; empty: none
  Found here_;  // the result at the present point
  bool has_distances_;
  f64 loss_ = 0;  // at the present point, and those of the trials, for a quadratic function
  std::vector<f64> losses_;
  std::vector<Axis> axes_;
  Decisions guess_;    // for all axes together; empty: none
  u32 next_axis_ = 0;  // whose turn it is
  u32 rounds_ = 0;
  std::vector<Trial> trials_;  // of this generation
  std::unordered_map<u64, Known> known_;
};

// Equal for variants that differ only in points of grids, and in numbers of the same signs: fits seldom lead over zero.
[[nodiscard]] u64 structure_hash(const VariantPlan& plan, const Decisions& decisions);
[[nodiscard]] bool has_grids(const VariantPlan& plan);

}  // namespace komuz::engine
