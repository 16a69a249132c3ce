// SPDX-License-Identifier: Apache-2.0
#include "engine/search/real_tuner.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/search/number_fits.h"
#include "engine/sketch/grid/real_points.h"

namespace komuz::engine {
namespace {

// Numbers nearer to zero count as of this size.
constexpr f64 kLeastNumber = 0x1p-10;

// Solves a system of equations whose matrix is symmetric, by a decomposition of Cholesky. False: it has no solution that counts.
bool solve(std::vector<f64> matrix, std::vector<f64>& way) {
  // Numbers that stand in for each other, as a summand where the score fits a line, would go anywhere.
  constexpr f64 kLeastShare = 1e-11;
  const size_t n = way.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      f64 rest = matrix[i * n + j];
      const f64 all = rest;
      for (size_t k = 0; k < j; ++k) rest -= matrix[i * n + k] * matrix[j * n + k];
      if (i == j && !(rest > kLeastShare * all)) return false;
      matrix[i * n + j] = i == j ? std::sqrt(rest) : rest / matrix[j * n + j];
    }
    for (size_t k = 0; k < i; ++k) way[i] -= matrix[i * n + k] * way[k];
    way[i] /= matrix[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) way[i] -= matrix[k * n + i] * way[k];
    way[i] /= matrix[i * n + i];
  }
  return std::ranges::all_of(way, [](f64 step) { return std::isfinite(step); });
}

// The number with so many significant digits.
f64 rounded(f64 number, int digits) {
  char text[40];
  const char* const end =
      std::to_chars(text, text + sizeof text, number, std::chars_format::scientific, digits - 1)
          .ptr;
  f64 value = 0;
  std::from_chars(text, end, value);
  return value;
}

}  // namespace

RealTuner::RealTuner(const VariantPlan& plan, Decisions decisions, Found found, bool has_distances,
                     NumberFits* fits)
    : decisions_(std::move(decisions)), here_(std::move(found)), has_distances_(has_distances) {
  std::vector<DecisionStretch> stretches;
  plan.list_stretches(decisions_, stretches);
  for (const DecisionStretch& stretch : stretches)
    if (plan.decision(stretch.decision).is_real) places_.push_back(stretch.begin);
  Decisions fitted = decisions_;
  const bool has_losses = !here_.case_losses.empty() && !here_.fitness.is_unscored;
  if (has_losses && fits != nullptr && fits->can_fit() && fits->fit_all(fitted)) {
    fitted_ = std::move(fitted);
    most_constants_ = NumberFit::kMostNumbers;
    round_ = Round::Rounding;
  }
  if (!has_numbers() || !has_losses) round_ = Round::Done;
}

f64 RealTuner::number(const Decisions& decisions, size_t constant) const {
  return std::bit_cast<f64>(real_cell(decisions[places_[constant]], Scalar::F64));
}

Decisions RealTuner::with_slope(size_t constant) const {
  constexpr f64 kPart = 0x1p-19;
  Decisions changed = decisions_;
  const f64 here = number(decisions_, constant);
  changed[places_[constant]] =
      nearest_real_point(here + std::max(std::abs(here), kLeastNumber) * kPart);
  return changed;
}

void RealTuner::propose(size_t most, std::vector<Decisions>& out) {
  trials_.clear();
  switch (round_) {
    case Round::Slopes:
      for (size_t k = 0; k < places_.size(); ++k) trials_.push_back(with_slope(k));
      break;
    case Round::Steps: list_steps(); break;
    case Round::Rounding: list_roundings(); break;
    case Round::Done: return;
  }
  if (trials_.empty()) round_ = Round::Done;
  // There is no use in a part of them: they wait for a generation with more room.
  if (trials_.size() > most) trials_.clear();
  out.insert(out.end(), trials_.begin(), trials_.end());
}

void RealTuner::list_steps() {
  constexpr f64 kFactors[] = {0, 1, 100, 1e4};
  const size_t n = places_.size();
  for (const f64 factor : kFactors) {
    std::vector<f64> matrix = products_, way = gradient_;
    for (size_t k = 0; k < n; ++k) {
      f64& own = matrix[k * n + k];
      // A constant that changes nothing stays.
      own = own > 0 ? own * (1 + damping_ * factor) : 1;
      way[k] = -way[k];
    }
    if (!solve(std::move(matrix), way)) continue;
    Decisions next = decisions_;
    for (size_t k = 0; k < n; ++k)
      next[places_[k]] = nearest_real_point(number(decisions_, k) + way[k]);
    if (next != decisions_ && std::ranges::find(trials_, next) == trials_.end())
      trials_.push_back(std::move(next));
  }
  if (!trials_.empty()) return;
  round_ = Round::Rounding;
  list_roundings();
}

void RealTuner::list_roundings() {
  constexpr int kMostDigits = 6;
  const Decisions& exact = fitted_.empty() ? decisions_ : fitted_;
  for (int digits = 1; digits <= kMostDigits; ++digits) {
    Decisions next = exact;
    for (size_t k = 0; k < places_.size(); ++k)
      next[places_[k]] = nearest_real_point(rounded(number(exact, k), digits));
    if (next != decisions_ && std::ranges::find(trials_, next) == trials_.end())
      trials_.push_back(std::move(next));
  }
  if (exact != decisions_ && std::ranges::find(trials_, exact) == trials_.end())
    trials_.push_back(exact);
}

f64 RealTuner::error_of(f64 loss, size_t one) const {
  if (residuals_) return residuals_->error(loss, one);
  if (!has_distances_) return std::sqrt(loss);
  return loss / std::sqrt(std::max(here_.case_losses[one], least_));
}

void RealTuner::take_errors() {
  constexpr f64 kLeastShare = 1e-6;  // of the mean distance
  const std::vector<f64>& losses = here_.case_losses;
  if (has_distances_) {
    f64 sum = 0;
    for (const f64 loss : losses) sum += loss;
    least_ = std::max(kLeastShare * sum / static_cast<f64>(losses.size()), 1e-300);
  }
  if (residuals_) residuals_->begin(losses);
  errors_.resize(losses.size());
  for (size_t k = 0; k < losses.size(); ++k) errors_[k] = error_of(losses[k], k);
}

void RealTuner::learn_slopes(std::span<const Found> found) {
  take_errors();
  const size_t n = places_.size(), cases = errors_.size();
  std::vector<std::vector<f64>> slopes(n);
  for (size_t k = 0; k < n; ++k) {
    const f64 by = number(trials_[k], k) - number(decisions_, k);
    const std::vector<f64>& losses = found[k].case_losses;
    // Nothing is known of it: it stays.
    if (found[k].fitness.is_unscored || losses.size() != cases || by == 0) continue;
    slopes[k].resize(cases);
    f64 moved = 0, all = 0;
    for (size_t one = 0; one < cases; ++one) {
      const f64 slope = (error_of(losses[one], one) - errors_[one]) / by;
      slopes[k][one] = slope;
      moved += slope * slope;
      all += errors_[one] * errors_[one];
    }
    // A number that changes errors by rounding alone, as a summand does where the score fits a line, would go anywhere by it.
    constexpr f64 kLeastShare = 1e-8;  // of squares of errors, where it changes by its own size
    const f64 size = std::max(std::abs(number(decisions_, k)), kLeastNumber);
    if (moved * size * size <= kLeastShare * all) slopes[k].clear();
  }
  products_.assign(n * n, 0);
  gradient_.assign(n, 0);
  for (size_t i = 0; i < n; ++i) {
    if (slopes[i].empty()) continue;
    for (size_t one = 0; one < cases; ++one) gradient_[i] += slopes[i][one] * errors_[one];
    for (size_t j = 0; j <= i; ++j) {
      if (slopes[j].empty()) continue;
      f64 sum = 0;
      for (size_t one = 0; one < cases; ++one) sum += slopes[i][one] * slopes[j][one];
      products_[i * n + j] = products_[j * n + i] = sum;
    }
  }
  has_failed_ = false;
  round_ = Round::Steps;
}

void RealTuner::move_to(const Decisions& decisions, const Found& found) {
  decisions_ = decisions;
  here_ = found;
}

std::optional<size_t> RealTuner::learn_steps(std::span<const Found> found) {
  constexpr f64 kGoodShare = 0.999;
  constexpr u32 kMostRounds = 40;
  const auto best = std::ranges::min_element(
      found, [](const Found& a, const Found& b) { return a.fitness < b.fitness; });
  const f64 before = here_.fitness.loss;
  if (!(best->fitness < here_.fitness)) {
    damping_ *= 1e3;
    round_ = has_failed_ || rounds_ >= kMostRounds ? Round::Rounding : Round::Steps;
    has_failed_ = true;
    return {};
  }
  const auto taken = static_cast<size_t>(best - found.begin());
  constexpr f64 kChanges[] = {0.1, 0.3, 10, 100};  // by the factor of the step that was taken
  damping_ = std::max(damping_ * kChanges[std::min<size_t>(taken, 3)], 1e-9);
  move_to(trials_[taken], *best);
  // Scores of which larger ones are better are negative losses from -1 on.
  const f64 share = before >= 0 ? before : 1 + before,
            now = before >= 0 ? here_.fitness.loss : 1 + here_.fitness.loss;
  const bool goes_on = now < kGoodShare * share && rounds_ < kMostRounds &&
                       here_.case_losses.size() == errors_.size();
  round_ = goes_on ? Round::Slopes : Round::Rounding;
  return taken;
}

std::optional<size_t> RealTuner::learn_roundings(std::span<const Found> found) {
  // So much of what is left costs nothing, and what is lost in rounding where the most that is possible is 1.
  constexpr f64 kFree = 1e-9, kLeastFree = 1e-13;
  round_ = Round::Done;
  f64 here = here_.fitness.loss;
  for (const Found& one : found)
    if (!fitted_.empty() && !one.fitness.is_unscored) here = std::min(here, one.fitness.loss);
  const f64 free = here + (here < 0 ? std::max(kFree * (1 + here), kLeastFree) : kFree * here);
  for (size_t k = 0; k < found.size(); ++k) {
    if (found[k].fitness.is_unscored || !(found[k].fitness.loss <= free)) continue;
    move_to(trials_[k], found[k]);
    return k;
  }
  return {};
}

std::optional<size_t> RealTuner::learn(std::span<const Found> found) {
  if (trials_.empty()) return {};
  ++rounds_;
  switch (round_) {
    case Round::Slopes: learn_slopes(found); return {};
    case Round::Steps: return learn_steps(found);
    case Round::Rounding: return learn_roundings(found);
    case Round::Done: return {};
  }
  return {};
}

}  // namespace komuz::engine
