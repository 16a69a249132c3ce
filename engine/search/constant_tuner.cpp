// SPDX-License-Identifier: Apache-2.0
#include "engine/search/constant_tuner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/scores/score_cells.h"
#include "engine/search/proposals.h"
#include "engine/search/quadratic_model.h"
#include "engine/sketch/grid/real_points.h"

namespace komuz::engine {

u64 structure_hash(const VariantPlan& plan, const Decisions& decisions) {
  std::vector<DecisionStretch> stretches;
  plan.list_stretches(decisions, stretches);
  Hash128 hash;
  for (const DecisionStretch& stretch : stretches) {
    const Decision& decision = plan.decision(stretch.decision);
    const u32 way = decisions[stretch.begin];
    hash.add(decision.is_real ? way < kRealZero : decision.form == HoleForm::Grid ? 0 : way);
  }
  return hash.low ^ hash.high;
}

bool has_grids(const VariantPlan& plan) {
  return std::ranges::any_of(plan.sketch().holes, [](const Hole& hole) {
    return hole.form == HoleForm::Grid && hole.grid.points > 1;
  });
}

ConstantTuner::ConstantTuner(const VariantPlan& plan, Decisions decisions, Found found,
                             bool has_distances)
    : decisions_(std::move(decisions)), here_(std::move(found)), has_distances_(has_distances) {
  constexpr u64 kFirstStep = 16;  // this part of a grid
  std::vector<DecisionStretch> stretches;
  plan.list_stretches(decisions_, stretches);
  for (const DecisionStretch& stretch : stretches) {
    const Decision& decision = plan.decision(stretch.decision);
    if (decision.form == HoleForm::Grid && decision.points > 1)
      axes_.push_back({.at = stretch.begin,
                       .last = decision.points - 1,
                       .step = decision.is_real ? kRealDouble / 4
                                                : std::max<u64>(1, decision.points / kFirstStep),
                       .is_real = decision.is_real,
                       .guess = {}});
  }
}

bool ConstantTuner::is_done() const {
  constexpr u32 kMostRounds = 200;
  return rounds_ >= kMostRounds ||
         std::ranges::all_of(axes_, [](const Axis& axis) { return axis.is_settled; });
}

// The point that many steps away, or the end of the grid.
u32 ConstantTuner::stepped(u32 axis, i64 steps) const {
  const Axis& own = axes_[axis];
  const i64 point = i64{decisions_[own.at]} + steps * static_cast<i64>(own.step);
  return static_cast<u32>(std::clamp<i64>(point, 0, static_cast<i64>(own.last)));
}

// A step that changes nothing is no trial.
void ConstantTuner::add(const Trial& trial, size_t most) {
  if (trials_.size() < most && trial.decisions != decisions_) trials_.push_back(trial);
}

// Adds the guess for all axes together, a repetition of the last move, as along a valley that no axis follows, and
// the guess for each axis.
void ConstantTuner::add_guesses(size_t most) {
  if (!guess_.empty()) add({.decisions = guess_}, most);
  Decisions further = decisions_;
  for (const Axis& axis : axes_) {
    if (before_.empty()) break;
    const i64 here = decisions_[axis.at];
    further[axis.at] = static_cast<u32>(
        std::clamp<i64>(2 * here - i64{before_[axis.at]}, 0, static_cast<i64>(axis.last)));
  }
  add({.decisions = std::move(further)}, most);
  // No step leads over zero, beside which a number of tiny ones lie.
  for (const Axis& axis : axes_) {
    if (!axis.is_real) continue;
    Trial mirrored{.decisions = decisions_};
    mirrored.decisions[axis.at] = static_cast<u32>(axis.last - decisions_[axis.at]);
    add(mirrored, most);
  }
  for (const Axis& axis : axes_) {
    if (!axis.guess) continue;
    Trial one{.decisions = decisions_};
    one.decisions[axis.at] = *axis.guess;
    if (one.decisions != guess_) add(one, most);
  }
}

void ConstantTuner::add_steps(u32 axis) {
  Trial down{.down = axis, .decisions = decisions_}, up{.up = axis, .decisions = decisions_};
  down.decisions[axes_[axis].at] = stepped(axis, -1);
  up.decisions[axes_[axis].at] = stepped(axis, 1);
  add(down, ~size_t{0});
  add(up, ~size_t{0});
}

void ConstantTuner::add_pairs() {
  for (u32 i = 0; i < axes_.size(); ++i)
    for (u32 j = i + 1; j < axes_.size(); ++j) {
      Trial both{.up = i, .other_up = j, .decisions = decisions_};
      both.decisions[axes_[i].at] = stepped(i, 1);
      both.decisions[axes_[j].at] = stepped(j, 1);
      add(both, ~size_t{0});
    }
}

void ConstantTuner::list_trials(size_t most) {
  trials_.clear();
  add_guesses(most < 4 ? 0 : most / 2);
  const size_t axes = axes_.size(), pairs = axes * (axes - 1) / 2;
  if (axes <= QuadraticModel::kMostAxes && trials_.size() + 2 * axes + pairs <= most) {
    for (u32 axis = 0; axis < axes; ++axis) add_steps(axis);
    add_pairs();
  } else {
    for (size_t k = 0; k < axes && trials_.size() + 2 <= most; ++k) {
      if (!axes_[next_axis_].is_settled) add_steps(next_axis_);
      next_axis_ = static_cast<u32>((next_axis_ + 1) % axes);
    }
  }
}

bool ConstantTuner::knows_all() {
  bool knows = true;
  for (Trial& trial : trials_) {
    const auto known = known_.find(hash_of_decisions(trial.decisions));
    trial.known = known == known_.end() ? nullptr : &known->second.found;
    knows &= trial.known != nullptr;
  }
  return knows;
}

void ConstantTuner::keep(const Trial& trial, const Found& found) {
  Known& known = known_[hash_of_decisions(trial.decisions)];
  known.round = rounds_;
  if (has_distances_)
    known.found = found;
  else
    known.found.fitness = found.fitness;
}
// Losses of cases take memory. Points that come up again are mostly those of the last few rounds.
void ConstantTuner::forget() {
  constexpr u32 kRounds = 4;
  if (!has_distances_) return;
  std::erase_if(known_, [&](const auto& one) { return one.second.round + kRounds < rounds_; });
}

void ConstantTuner::propose(size_t most, std::vector<Decisions>& out) {
  for (list_trials(most); !trials_.empty() && knows_all(); list_trials(most)) {
    static_cast<void>(learn({}));
    if (is_done()) return trials_.clear();
  }
  for (const Trial& trial : trials_)
    if (trial.known == nullptr) out.push_back(trial.decisions);
}

void ConstantTuner::guess(Axis& axis, f64 down, f64 up) const {
  axis.guess.reset();
  const f64 bend = down - 2 * loss_ + up;
  if (!(bend > 0) || !std::isfinite(bend)) return;
  const f64 steps = std::clamp((down - up) / (2 * bend), -4.0, 4.0);
  const i64 point = i64{decisions_[axis.at]} + std::llround(steps * static_cast<f64>(axis.step));
  axis.guess = static_cast<u32>(std::clamp<i64>(point, 0, static_cast<i64>(axis.last)));
}

void ConstantTuner::take_losses(const FoundOfTrials& found) {
  constexpr f64 kLeastShare = 1e-6;  // of the mean distance: smaller distances count as this
  const std::vector<f64>& here = here_.case_losses;
  const auto has_cases = [&](const Found* one) {
    return one->fitness.is_unscored || one->case_losses.size() == here.size();
  };
  losses_.clear();
  if (!has_distances_ || here.empty() || !std::ranges::all_of(found, has_cases)) {
    loss_ = here_.fitness.loss;
    for (const Found* one : found) losses_.push_back(one->fitness.loss);
    return;
  }
  const f64 mean = std::accumulate(here.begin(), here.end(), 0.0) / static_cast<f64>(here.size());
  // Squares of distances that are far from 1 would not fit an f64.
  constexpr i32 kOrdinary = 400;
  const i32 exponent = mean > 0 && std::isfinite(mean) ? exponent_of(mean) : 0;
  const f64 unit = std::abs(exponent) > kOrdinary ? power_of_two(-exponent) : 1.0;
  const auto weighted = [&](const std::vector<f64>& distances) {
    f64 sum = 0;
    for (size_t k = 0; k < distances.size(); ++k) {
      const f64 distance = distances[k] * unit;
      sum += distance * distance / (std::max(here[k], kLeastShare * mean) * unit);
    }
    return sum;
  };
  loss_ = weighted(here);
  for (const Found* one : found) losses_.push_back(weighted(one->case_losses));
}

void ConstantTuner::learn_axes(const FoundOfTrials& found) {
  std::vector<std::optional<size_t>> downs(axes_.size()), ups(axes_.size());
  for (size_t k = 0; k < trials_.size(); ++k) {
    const Trial& trial = trials_[k];
    if (trial.down != kNoAxis) downs[trial.down] = k;
    if (trial.up != kNoAxis && trial.other_up == kNoAxis) ups[trial.up] = k;
  }
  for (u32 k = 0; k < axes_.size(); ++k) {
    Axis& axis = axes_[k];
    const std::optional<size_t> down = downs[k], up = ups[k];
    if (!down && !up) continue;
    const bool is_inside = stepped(k, 1) - stepped(k, -1) == 2 * axis.step;
    if (is_inside && !found[*down]->fitness.is_unscored && !found[*up]->fitness.is_unscored)
      guess(axis, losses_[*down], losses_[*up]);
    const bool gets_better = (down && found[*down]->fitness < here_.fitness) ||
                             (up && found[*up]->fitness < here_.fitness);
    axis.is_settled = !gets_better && axis.step == 1;
    axis.step =
        std::max<u64>(1, gets_better ? std::min(2 * axis.step, axis.last / 2) : axis.step / 2);
  }
}

void ConstantTuner::guess_all(const FoundOfTrials& found) {
  guess_.clear();
  const auto axes = static_cast<u32>(axes_.size());
  u32 known = 0;
  QuadraticModel model{.axes = axes, .origin = loss_, .down = {}, .up = {}, .both = {}};
  for (size_t k = 0; k < trials_.size() && axes <= QuadraticModel::kMostAxes; ++k) {
    const Trial& trial = trials_[k];
    if (found[k]->fitness.is_unscored || (trial.up == kNoAxis && trial.down == kNoAxis)) continue;
    if (trial.down != kNoAxis)
      model.down[trial.down] = losses_[k];
    else if (trial.other_up != kNoAxis)
      model.both[trial.up][trial.other_up] = losses_[k];
    else
      model.up[trial.up] = losses_[k];
    ++known;
  }
  for (u32 k = 0; k < axes; ++k)
    if (stepped(k, 1) - stepped(k, -1) != 2 * axes_[k].step) return;
  if (known != 2 * axes + axes * (axes - 1) / 2) return;
  const auto minimum = model.minimum();
  if (!minimum) return;
  guess_ = decisions_;
  for (u32 k = 0; k < axes; ++k) {
    const Axis& axis = axes_[k];
    const f64 point = decisions_[axis.at] + (*minimum)[k] * static_cast<f64>(axis.step);
    guess_[axis.at] =
        static_cast<u32>(std::llround(std::clamp(point, 0.0, static_cast<f64>(axis.last))));
  }
}

std::optional<size_t> ConstantTuner::learn(std::span<const Found> found) {
  if (trials_.empty()) return {};
  ++rounds_;
  size_t next = 0;
  FoundOfTrials all;
  for (const Trial& trial : trials_) all.push_back(trial.known ? trial.known : &found[next++]);
  take_losses(all);
  guess_all(all);
  learn_axes(all);
  const auto best = std::min_element(all.begin(), all.end(), [](const Found* a, const Found* b) {
    return a->fitness < b->fitness;
  });
  const Trial& moved_to = trials_[static_cast<size_t>(best - all.begin())];
  // A point that was known before is no better, or the tuner would have moved there at that time.
  const bool moves = moved_to.known == nullptr && (*best)->fitness < here_.fitness;
  const auto number = static_cast<size_t>(*best - found.data());
  if (moves) {
    before_ = std::exchange(decisions_, moved_to.decisions);
    here_ = **best;
    for (Axis& axis : axes_) axis.is_settled = false;
  } else if (!guess_.empty() && guess_ != decisions_ &&
             !known_.contains(hash_of_decisions(guess_))) {
    // A guess that is not tried yet may be better than the neighbours.
    axes_.front().is_settled = false;
  }
  next = 0;
  for (const Trial& trial : trials_)
    if (trial.known == nullptr) keep(trial, found[next++]);
  forget();
  trials_.clear();
  return moves ? std::optional(number) : std::nullopt;
}

}  // namespace komuz::engine
