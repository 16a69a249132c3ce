// SPDX-License-Identifier: Apache-2.0
#include "engine/search/tuned_search.h"

#include <algorithm>
#include <iterator>

#include "engine/search/sort_unless_stopped.h"

namespace komuz::engine {

void TunedSearch::propose(size_t count, std::vector<Decisions>& out) {
  std::vector<Decisions> trials;
  constants_.propose(count, trials);
  trials_ = trials.size();
  method_->propose(count - trials_, out);
  out.insert(out.begin(), std::make_move_iterator(trials.begin()),
             std::make_move_iterator(trials.end()));
}

void TunedSearch::learn(std::span<const Decisions> proposed, std::span<const Found> found) {
  const auto begin = static_cast<std::ptrdiff_t>(trials_);
  std::vector<Decisions> learnt(proposed.begin() + begin, proposed.end());
  std::vector<Found> learnt_found(found.begin() + begin, found.end());
  const size_t own = learnt.size();
  for (const size_t moved_to : constants_.learn(found.first(trials_))) {
    learnt.push_back(proposed[moved_to]);
    learnt_found.push_back(found[moved_to]);
  }
  method_->learn(learnt, learnt_found);
  struct Row {
    Fitness fitness;
    size_t at = 0;
  };
  std::vector<Row> order;
  for (size_t at = 0; at < own; ++at) order.push_back({learnt_found[at].fitness, at});
  const auto comes_first = [](const Row& a, const Row& b) {
    return a.fitness < b.fitness || (!(b.fitness < a.fitness) && a.at < b.at);
  };
  sort_unless_stopped(order, comes_first, stop_);
  if (stop_.stop_requested()) return;
  constants_.choose([&](size_t k) -> std::optional<TunedConstants::Proposed> {
    if (k == order.size()) return std::nullopt;
    return TunedConstants::Proposed{learnt[order[k].at], learnt_found[order[k].at]};
  });
}

}  // namespace komuz::engine
