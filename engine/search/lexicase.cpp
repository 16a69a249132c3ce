// SPDX-License-Identifier: Apache-2.0
#include "engine/search/lexicase.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace komuz::engine {
namespace {

// Of an even number of values the lower of the two in the middle.
f64 median(std::vector<f64>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Of finite losses; 0 where they have at most two values, as those of an exact score: then the best alone are good.
f64 deviation(std::vector<f64>& losses) {
  std::erase_if(losses, [](f64 loss) { return std::isinf(loss); });
  if (losses.empty()) return 0;
  const auto [least, most] = std::ranges::minmax(losses);
  if (std::ranges::all_of(losses, [=](f64 loss) { return loss == least || loss == most; }))
    return 0;
  const f64 middle = median(losses);
  for (f64& loss : losses) loss = std::abs(loss - middle);
  return median(losses);
}

}  // namespace

Lexicase::Lexicase(std::vector<std::span<const f64>> losses) : losses_(std::move(losses)) {
  left_.resize(losses_.size());
  std::iota(left_.begin(), left_.end(), 0u);
  cases_.resize(losses_.empty() ? 0 : losses_[0].size());
  std::iota(cases_.begin(), cases_.end(), 0u);
  std::vector<f64> of_case;
  for (const u32 c : cases_) {
    of_case.clear();
    for (const std::span<const f64> own : losses_) of_case.push_back(own[c]);
    epsilons_.push_back(deviation(of_case));
  }
}

u32 Lexicase::select(Random& random, Scratch& scratch) const {
  std::vector<u32>&cases = scratch.cases, &pool = scratch.pool;
  cases = cases_;
  pool = left_;
  for (size_t left = cases.size(); left > 0 && pool.size() > 1; --left) {
    std::swap(cases[random.below(left)], cases[left - 1]);
    const u32 c = cases[left - 1];
    f64 best = std::numeric_limits<f64>::infinity();
    for (const u32 individual : pool) best = std::min(best, losses_[individual][c]);
    const f64 most = best + epsilons_[c];
    std::erase_if(pool, [&](u32 individual) { return losses_[individual][c] > most; });
  }
  return pool[random.below(pool.size())];
}

void Lexicase::remove(u32 individual) { std::erase(left_, individual); }

}  // namespace komuz::engine
