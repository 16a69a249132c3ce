// SPDX-License-Identifier: Apache-2.0
#include "engine/search/constant_tuner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "engine/search/quadratic_model.h"

namespace komuz::engine {

u64 structure_hash(const VariantPlan& plan, const Decisions& decisions) {
  std::vector<DecisionStretch> stretches;
  plan.list_stretches(decisions, stretches);
  Hash128 hash;
  for (const DecisionStretch& stretch : stretches)
    hash.add(plan.decision(stretch.decision).form == HoleForm::Grid ? 0 : decisions[stretch.begin]);
  return hash.low ^ hash.high;
}

bool has_grids(const VariantPlan& plan) {
  return std::ranges::any_of(plan.sketch().holes, [](const Hole& hole) {
    return hole.form == HoleForm::Grid && hole.grid.points > 1;
  });
}

ConstantTuner::ConstantTuner(const VariantPlan& plan, Decisions decisions, const Fitness& fitness)
    : decisions_(std::move(decisions)), fitness_(fitness) {
  constexpr u64 kFirstStep = 16;  // this part of a grid
  std::vector<DecisionStretch> stretches;
  plan.list_stretches(decisions_, stretches);
  for (const DecisionStretch& stretch : stretches) {
    const Decision& decision = plan.decision(stretch.decision);
    if (decision.form == HoleForm::Grid && decision.points > 1)
      axes_.push_back({stretch.begin,
                       decision.points - 1,
                       std::max<u64>(1, decision.points / kFirstStep),
                       false,
                       {}});
  }
}

bool ConstantTuner::is_done() const {
  constexpr u32 kMostRounds = 200;
  return rounds_ >= kMostRounds ||
         std::ranges::all_of(axes_, [](const Axis& axis) { return axis.is_settled; });
}

// So many steps from where it is, or at the end of the grid.
u32 ConstantTuner::stepped(u32 axis, i64 steps) const {
  const Axis& own = axes_[axis];
  const i64 point = i64{decisions_[own.at]} + steps * static_cast<i64>(own.step);
  return static_cast<u32>(std::clamp<i64>(point, 0, static_cast<i64>(own.last)));
}

// What changes nothing is no trial.
void ConstantTuner::add(const Trial& trial, size_t most) {
  if (trials_.size() < most && trial.decisions != decisions_) trials_.push_back(trial);
}

// The one of all axes, once more the way that it has come, as along a valley that no axis follows, and that of each axis.
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

void ConstantTuner::propose(size_t most, std::vector<Decisions>& out) {
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
  for (const Trial& trial : trials_) out.push_back(trial.decisions);
}

void ConstantTuner::guess(Axis& axis, f64 down, f64 up) const {
  axis.guess.reset();
  const f64 bend = down - 2 * fitness_.loss + up;
  if (!(bend > 0) || !std::isfinite(bend)) return;
  const f64 steps = std::clamp((down - up) / (2 * bend), -4.0, 4.0);
  const i64 point = i64{decisions_[axis.at]} + std::llround(steps * static_cast<f64>(axis.step));
  axis.guess = static_cast<u32>(std::clamp<i64>(point, 0, static_cast<i64>(axis.last)));
}

void ConstantTuner::learn_axes(std::span<const Fitness> found) {
  std::vector<const Fitness*> downs(axes_.size()), ups(axes_.size());
  for (size_t k = 0; k < trials_.size(); ++k) {
    const Trial& trial = trials_[k];
    if (trial.down != kNoAxis) downs[trial.down] = &found[k];
    if (trial.up != kNoAxis && trial.other_up == kNoAxis) ups[trial.up] = &found[k];
  }
  for (u32 k = 0; k < axes_.size(); ++k) {
    Axis& axis = axes_[k];
    const Fitness *const down = downs[k], *const up = ups[k];
    if (down == nullptr && up == nullptr) continue;
    const bool is_inside = stepped(k, 1) - stepped(k, -1) == 2 * axis.step;
    if (is_inside && !down->is_unscored && !up->is_unscored) guess(axis, down->loss, up->loss);
    const bool gets_better =
        (down != nullptr && *down < fitness_) || (up != nullptr && *up < fitness_);
    axis.is_settled = !gets_better && axis.step == 1;
    axis.step =
        std::max<u64>(1, gets_better ? std::min(2 * axis.step, axis.last / 2) : axis.step / 2);
  }
}

void ConstantTuner::guess_all(std::span<const Fitness> found) {
  guess_.clear();
  const auto axes = static_cast<u32>(axes_.size());
  u32 known = 0;
  QuadraticModel model{.axes = axes, .origin = fitness_.loss, .down = {}, .up = {}, .both = {}};
  for (size_t k = 0; k < trials_.size() && axes <= QuadraticModel::kMostAxes; ++k) {
    const Trial& trial = trials_[k];
    if (found[k].is_unscored || (trial.up == kNoAxis && trial.down == kNoAxis)) continue;
    if (trial.down != kNoAxis)
      model.down[trial.down] = found[k].loss;
    else if (trial.other_up != kNoAxis)
      model.both[trial.up][trial.other_up] = found[k].loss;
    else
      model.up[trial.up] = found[k].loss;
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

std::optional<size_t> ConstantTuner::learn(std::span<const Fitness> found) {
  if (found.empty()) return {};
  ++rounds_;
  guess_all(found);
  learn_axes(found);
  const auto best = std::min_element(found.begin(), found.end());
  if (!(*best < fitness_)) {
    // A guess that is still to be tried may be better than neighbours.
    if (!guess_.empty() && guess_ != decisions_) axes_.front().is_settled = false;
    return {};
  }
  const auto moved_to = static_cast<size_t>(best - found.begin());
  before_ = std::exchange(decisions_, trials_[moved_to].decisions);
  fitness_ = *best;
  for (Axis& axis : axes_) axis.is_settled = false;
  return moved_to;
}

}  // namespace komuz::engine
