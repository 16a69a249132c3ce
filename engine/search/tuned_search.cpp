// SPDX-License-Identifier: Apache-2.0
#include "engine/search/tuned_search.h"

#include <algorithm>

namespace komuz::engine {

void TunedSearch::propose(size_t count, std::vector<Decisions>& out) {
  // Frees the lists of a large generation one by one, so that a stop can come between.
  for (; !trials_.empty() && !stop_.stop_requested(); trials_.pop_back()) {
  }
  constants_.propose(count, trials_);
  method_->propose(count - trials_.size(), others_);
  out.resize(count);
  for (size_t k = 0; k < count && !stop_.stop_requested(); ++k)
    out[k] = std::move(k < trials_.size() ? trials_[k] : others_[k - trials_.size()]);
}

void TunedSearch::learn(std::span<const Decisions> proposed, std::span<const Found> found,
                        std::span<const Learnt> tuned) {
  std::vector<Learnt> moved(tuned.begin(), tuned.end());
  for (const size_t trial : constants_.learn(found.first(trials_.size())))
    moved.push_back({proposed[trial], found[trial]});
  const std::span<const Decisions> own = proposed.subspan(trials_.size());
  const std::span<const Found> own_found = found.subspan(trials_.size());
  method_->learn(own, own_found, moved);
  const auto comes_later = [&](u32 a, u32 b) {
    const Fitness &one = own_found[a].fitness, &other = own_found[b].fitness;
    return other < one || (!(one < other) && b < a);
  };
  // A heap, since only few are asked for.
  std::vector<u32> heap;
  heap.reserve(own.size());
  for (u32 at = 0; at < own.size(); ++at) {
    if (stop_.stop_requested()) return;
    heap.push_back(at);
    std::ranges::push_heap(heap, comes_later);
  }
  constants_.choose([&]() -> std::optional<Learnt> {
    if (heap.empty() || stop_.stop_requested()) return std::nullopt;
    std::ranges::pop_heap(heap, comes_later);
    const u32 at = heap.back();
    heap.pop_back();
    return Learnt{own[at], own_found[at]};
  });
}

}  // namespace komuz::engine
