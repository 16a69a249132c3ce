// SPDX-License-Identifier: Apache-2.0
// Tunes the points of a variant's grids, all else staying as it is: compass search with steps that double and halve (Kolda, Lewis
// and Torczon, 2003), of which a generation tries all directions at once. What they lose says where a parabola through three
// points, or a quadratic function of all grids, has its minimum, which is tried the next time.
// A sum of distances has a kink in each case, and no parabola fits it. Each distance is as good as its square, divided by what
// it is now: so the minimum is that of a sum of squares with weights, which are made anew wherever it moves (iteratively reweighted
// least squares; Weiszfeld, 1937).
#pragma once
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/search/fitness.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

// One variant that is being tuned. It asks for trials, is told how good they were, and moves to the best of them.
class ConstantTuner {
 public:
  // `has_distances`: the losses of cases are distances, and the loss is their sum.
  ConstantTuner(const VariantPlan& plan, Decisions decisions, Found found, bool has_distances);

  // Trials for the next generation, at most so many, behind what is in `out`. Grids that there is no room for come first the
  // next time. What came of a trial is known when it is come to again.
  void propose(size_t most, std::vector<Decisions>& out);
  // How good those were, in order. Gives the number of the one that it has moved to; none: it stays where it is.
  std::optional<size_t> learn(std::span<const Found> found);
  [[nodiscard]] const Fitness& fitness() const { return here_.fitness; }
  // No neighbour of any grid is better, or it has taken very long.
  [[nodiscard]] bool is_done() const;

 private:
  // A grid of the variant.
  struct Axis {
    size_t at = 0;  // in the decisions
    u64 last = 0;   // point of the grid
    u64 step = 1;
    bool is_settled = false;   // neither neighbour is better
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
  // What a quadratic function is laid through: the losses, or squares of distances with the weights of where it is.
  void take_losses(const FoundOfTrials& found);
  void learn_axes(const FoundOfTrials& found);
  void guess(Axis& axis, f64 down, f64 up) const;
  void guess_all(const FoundOfTrials& found);

  Decisions decisions_, before_;  // where it is, and where it was before it moved; empty: nowhere
  Found here_;                    // what came of where it is
  bool has_distances_;
  f64 loss_ = 0;  // of where it is, and of the trials, for a quadratic function
  std::vector<f64> losses_;
  std::vector<Axis> axes_;
  Decisions guess_;    // of all axes; empty: none
  u32 next_axis_ = 0;  // whose turn it is
  u32 rounds_ = 0;
  std::vector<Trial> trials_;  // of this generation
  std::unordered_map<u64, Known> known_;
};

// Of variants that differ in points of grids alone this is the same.
[[nodiscard]] u64 structure_hash(const VariantPlan& plan, const Decisions& decisions);
[[nodiscard]] bool has_grids(const VariantPlan& plan);

}  // namespace komuz::engine
