// SPDX-License-Identifier: Apache-2.0
#include "engine/search/tuned_search.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace komuz::engine {

void TunedSearch::propose(size_t count, std::vector<Decisions>& out) {
  std::vector<Decisions> trials;
  for (Subject& subject : subjects_) {
    const size_t before = trials.size();
    subject.tuner.propose(count / kShare - before, trials);
    subject.trials = trials.size() - before;
  }
  trials_ = trials.size();
  method_->propose(count - trials_, out);
  out.insert(out.begin(), std::make_move_iterator(trials.begin()),
             std::make_move_iterator(trials.end()));
}

void TunedSearch::learn(std::span<const Decisions> proposed, std::span<const Found> found) {
  std::vector<Decisions> learnt(proposed.begin() + static_cast<std::ptrdiff_t>(trials_),
                                proposed.end());
  std::vector<Found> learnt_found(found.begin() + static_cast<std::ptrdiff_t>(trials_),
                                  found.end());
  const size_t own = learnt.size();
  size_t begin = 0;
  for (Subject& subject : subjects_) {
    if (const auto moved_to = subject.tuner.learn(found.subspan(begin, subject.trials))) {
      learnt.push_back(proposed[begin + *moved_to]);
      learnt_found.push_back(found[begin + *moved_to]);
    }
    begin += subject.trials;
  }
  method_->learn(learnt, learnt_found);
  std::erase_if(subjects_, [&](const Subject& subject) {
    if (!subject.tuner.is_done()) return false;
    done_.insert_or_assign(subject.structure, subject.tuner.fitness());
    return true;
  });
  choose(std::span(learnt).first(own), std::span(learnt_found).first(own));
}

void TunedSearch::choose(std::span<const Decisions> proposed, std::span<const Found> found) {
  const size_t most = std::max<size_t>(1, (proposed.size() + trials_) / (kShare * kTrialsOfOne));
  std::vector<u32> order(proposed.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto better = [&](u32 a, u32 b) { return found[a].fitness < found[b].fitness; };
  std::ranges::stable_sort(order, better);
  size_t added = 0;
  std::unordered_set<u64> looked_at;
  for (const u32 row : order) {
    const Fitness& fitness = found[row].fitness;
    if (added == most || fitness.is_unscored) break;
    if (subjects_.size() >= most && !(fitness < subjects_[most - 1].tuner.fitness())) break;
    const u64 structure = structure_hash(plan_, proposed[row]);
    if (!looked_at.insert(structure).second) continue;
    const auto known = done_.find(structure);
    if (known != done_.end() && !(fitness < known->second)) continue;
    ConstantTuner tuner(plan_, proposed[row], found[row], tunes_distances_);
    if (tuner.is_done()) continue;  // it has no grids
    const auto same = std::ranges::find(subjects_, structure, &Subject::structure);
    if (same == subjects_.end())
      subjects_.push_back({structure, std::move(tuner)});
    else if (fitness < same->tuner.fitness())
      same->tuner = std::move(tuner);
    ++added;
  }
  std::ranges::stable_sort(subjects_, [](const Subject& a, const Subject& b) {
    return a.tuner.fitness() < b.tuner.fitness();
  });
  if (subjects_.size() > most)
    subjects_.erase(subjects_.begin() + static_cast<std::ptrdiff_t>(most), subjects_.end());
}

}  // namespace komuz::engine
