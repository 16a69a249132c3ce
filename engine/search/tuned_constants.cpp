// SPDX-License-Identifier: Apache-2.0
#include "engine/search/tuned_constants.h"

#include <algorithm>
#include <unordered_set>

#include "engine/search/constant_tuner.h"
#include "engine/search/real_tuner.h"

namespace komuz::engine {

TunedConstants::Losses TunedConstants::losses_of(const SearchOptions& options) {
  if (options.tunes_distances) return Losses::Distances;
  return options.fits_reals ? Losses::Squares : Losses::None;
}

void TunedConstants::propose(size_t count, std::vector<Decisions>& out) {
  count_ = count;
  const size_t first = out.size();
  for (Subject& subject : subjects_) {
    if (stop_.stop_requested()) return;
    const size_t before = out.size();
    subject.tuner->propose(count / kShare - (before - first), out);
    subject.trials = out.size() - before;
  }
}

std::vector<size_t> TunedConstants::learn(std::span<const Found> found) {
  std::vector<size_t> moved_to;
  size_t begin = 0;
  for (Subject& subject : subjects_) {
    if (stop_.stop_requested()) break;
    if (const auto moved = subject.tuner->learn(found.subspan(begin, subject.trials)))
      moved_to.push_back(begin + *moved);
    begin += subject.trials;
  }
  return moved_to;
}

std::unique_ptr<Tuner> TunedConstants::make_tuner(const Learnt& of) const {
  const bool has_distances = losses_ == Losses::Distances;
  if (losses_ != Losses::None && plan_.has_reals()) {
    auto tuner =
        std::make_unique<RealTuner>(plan_, of.decisions, of.found, has_distances, fits_.get());
    if (model_ && model_->is_known) tuner->use_losses(*model_);
    // What was looked at before has no losses of cases now: it is not tuned by less than others are.
    if (!tuner->is_done() || tuner->has_numbers()) return tuner;
  }
  return std::make_unique<ConstantTuner>(plan_, of.decisions, of.found, has_distances);
}

void TunedConstants::choose(const Best& next_best) {
  std::erase_if(subjects_, [&](const Subject& subject) {
    if (!subject.tuner->is_done()) return false;
    const Fitness& reached = subject.tuner->fitness();
    Done& done = done_.try_emplace(subject.structure, Done{reached, 0}).first->second;
    if (reached < done.fitness) done.fitness = reached;
    ++done.fits;
    return true;
  });
  const size_t most = std::max<size_t>(1, count_ / (kShare * kTrialsOfOne));
  size_t added = 0, quick = 0;
  std::unordered_set<u64> looked_at;
  std::unordered_map<u64, size_t> places;  // of structures
  for (size_t k = 0; k < subjects_.size(); ++k) places.emplace(subjects_[k].structure, k);
  while (added < most && quick < kMostQuick) {
    const std::optional<Learnt> next = next_best();
    if (!next || next->found.fitness.is_unscored) break;
    const Fitness& fitness = next->found.fitness;
    if (subjects_.size() >= most && !(fitness < subjects_[most - 1].tuner->fitness())) break;
    const u64 structure = structure_hash(plan_, next->decisions);
    if (!looked_at.insert(structure).second) continue;
    const auto known = done_.find(structure);
    const u32 most_fits = plan_.has_reals() ? kMostFits : 1;
    if (known != done_.end() && !(fitness < known->second.fitness) &&
        known->second.fits >= most_fits)
      continue;
    std::unique_ptr<Tuner> tuner = make_tuner(*next);
    if (tuner->is_done()) continue;  // it has no constants
    const bool is_quick = tuner->is_quick();
    const auto [same, is_new] = places.emplace(structure, subjects_.size());
    // A fit takes some generations, and would come to no end if each chance find began it anew.
    if (!is_new && plan_.has_reals()) continue;
    if (is_new)
      subjects_.push_back({structure, std::move(tuner)});
    else if (fitness < subjects_[same->second].tuner->fitness())
      subjects_[same->second].tuner = std::move(tuner);
    ++added;
    quick += is_quick ? 1 : 0;
  }
  if (stop_.stop_requested()) return;
  std::ranges::stable_sort(subjects_, [](const Subject& a, const Subject& b) {
    return a.tuner->fitness() < b.tuner->fitness();
  });
  if (subjects_.size() > most)
    subjects_.erase(subjects_.begin() + static_cast<std::ptrdiff_t>(most), subjects_.end());
}

}  // namespace komuz::engine
