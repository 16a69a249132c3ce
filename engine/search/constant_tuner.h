// SPDX-License-Identifier: Apache-2.0
// Tunes the points of a variant's grids, all else staying as it is: compass search with steps that double and halve (Kolda, Lewis
// and Torczon, 2003), of which a generation tries all directions at once. What they lose says where a parabola through three
// points, or a quadratic function of all grids, has its minimum, which is tried the next time.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "engine/search/fitness.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

// One variant that is being tuned. It asks for trials, is told how good they were, and moves to the best of them.
class ConstantTuner {
 public:
  ConstantTuner(const VariantPlan& plan, Decisions decisions, const Fitness& fitness);

  // Trials for the next generation, at most so many, behind what is in `out`. Grids that there is no room for come first the
  // next time.
  void propose(size_t most, std::vector<Decisions>& out);
  // How good those were, in order. Gives the number of the one that it has moved to; none: it stays where it is.
  std::optional<size_t> learn(std::span<const Fitness> found);
  [[nodiscard]] const Fitness& fitness() const { return fitness_; }
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
  };

  void add_guesses(size_t most);
  void add_steps(u32 axis);
  void add_pairs();
  void add(const Trial& trial, size_t most);
  [[nodiscard]] u32 stepped(u32 axis, i64 steps) const;
  void learn_axes(std::span<const Fitness> found);
  void guess(Axis& axis, f64 down, f64 up) const;
  void guess_all(std::span<const Fitness> found);

  Decisions decisions_, before_;  // where it is, and where it was before it moved; empty: nowhere
  Fitness fitness_;
  std::vector<Axis> axes_;
  Decisions guess_;    // of all axes; empty: none
  u32 next_axis_ = 0;  // whose turn it is
  u32 rounds_ = 0;
  std::vector<Trial> trials_;  // of this generation
};

// Of variants that differ in points of grids alone this is the same.
[[nodiscard]] u64 structure_hash(const VariantPlan& plan, const Decisions& decisions);
[[nodiscard]] bool has_grids(const VariantPlan& plan);

}  // namespace komuz::engine
