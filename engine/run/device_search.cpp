// SPDX-License-Identifier: Apache-2.0
#include "engine/run/device_search.h"

#include <algorithm>

namespace komuz::engine {
namespace {

DeviceMethod method_of(SearchKind kind) {
  switch (kind) {
    case SearchKind::Local: return DeviceMethod::Local;
    case SearchKind::Random: return DeviceMethod::Random;
    case SearchKind::Lexicase: return DeviceMethod::Lexicase;
    case SearchKind::Evolve: break;
  }
  return DeviceMethod::Evolve;
}

}  // namespace

bool DeviceSearch::can_search(const SearchCandidates& candidates) {
  const SearchOptions& options = candidates.options();
  return !candidates.has_room_for_all() && options.population <= VariantSearch::kMostPopulation &&
         candidates.generations() == 0 && options.weights == nullptr && options.starts == nullptr &&
         options.migration == nullptr && !candidates.plan().has_reals();
}

Result<std::optional<SweptVariants>> DeviceSearch::run(const std::function<void(u64)>& on_variants,
                                                       const std::stop_token& stop) {
  Result<std::unique_ptr<VariantSweep>> sweep = open_variant_sweep(on_.device, job_.memory);
  if (sweep.problem()) return std::move(sweep).problem();
  Result<std::unique_ptr<VariantSearch>> search = open_variant_search(on_.device, job_.memory);
  if (search.problem()) return std::move(search).problem();
  sweep_ = std::move(sweep).value();
  search_ = std::move(search).value();
  room_ = std::min(kFirstRoom, most_room());
  const VariantSearch::Options first = options();
  const bool has_memory = VariantSearch::losses(first) <= VariantSearch::kMostLosses &&
                          VariantSearch::scratch_bytes(first) <= VariantSearch::kMostScratch;
  state_ = has_memory ? Stretched::Again : Stretched::Never;
  Problem problem;
  while (!problem && state_ == Stretched::Again) problem = run_from_start(on_variants, stop);
  if (state_ != Stretched::Done) candidates_.all_generations().begin_anew();
  if (problem) return problem;
  std::optional<SweptVariants> out;
  if (state_ != Stretched::Done) return out;
  out.emplace().is_cut_short = is_cut_short_;
  problem =
      fetch_swept(*sweep_, *out).then([&] { return sweep_->fetch_best_decisions(out->decisions); });
  if (problem) return problem;
  return out;
}

u32 DeviceSearch::most_room() const {
  return static_cast<u32>(std::min<u64>(candidates_.plan().most_decisions(), kMostDecisions));
}

VariantSearch::Options DeviceSearch::options() const {
  const SearchOptions& options = candidates_.options();
  return {.variants = on_.maker.variants(),
          .method = method_of(options.kind),
          .seed = options.seed,
          .population = options.population,
          .room = room_,
          .all = candidates_.few_variants(),
          .score = on_.scorer.basis().kind,
          .cases = learns_from_cases(options) ? job_.suite.count : 0,
          .tells_losses = options.tunes_distances};
}

Problem DeviceSearch::begin() {
  const SearchOptions& options = candidates_.options();
  state_ = Stretched::Done;
  candidates_.all_generations().begin_anew();
  constants_.reset();
  trials_.clear();
  if (tunes_constants(options, candidates_.plan()))
    constants_.emplace(candidates_.plan(), TunedConstants::losses_of(options));
  on_.scorer.keep_case_scores(learns_from_cases(options));
  stretch_ = job_.longest_stretch(std::min(options.population, on_.maker.longest_stretch()));
  VariantSweep::Options ranked = job_.options(on_.scorer, stretch_);
  ranked.most_decisions = room_;
  Problem problem = sweep_->begin(ranked).then([&] { return search_->begin(this->options()); });
  if (!is_full()) return problem;
  state_ = Stretched::Never;
  return {};
}

Problem DeviceSearch::run_from_start(const std::function<void(u64)>& on_variants,
                                     const std::stop_token& stop) {
  Generations& generations = candidates_.all_generations();
  Problem problem = begin();
  const auto goes_on = [&] {
    return !problem && state_ == Stretched::Done && !stop.stop_requested();
  };
  while (goes_on() && generations.goes_on()) {
    is_cut_short_ = sweep_->variants() + candidates_.options().population > job_.most_variants;
    if (is_cut_short_) break;
    problem = propose();
    if (goes_on()) problem = run_generation(stop);
    if (!goes_on()) break;
    const Result<bool> has_reached_target = learn_and_look();
    problem = has_reached_target.problem();
    generations.end_one(search_->has_proposed_all(), !problem && has_reached_target.value());
    on_variants(sweep_->variants());
  }
  if (!problem || !is_full()) return problem;
  // If memory does not suffice for the first generation, the host searches.
  is_cut_short_ = sweep_->variants() != 0;
  if (!is_cut_short_) state_ = Stretched::Never;
  return {};
}

Result<bool> DeviceSearch::learn_and_look() {
  if (Problem problem = learn()) return problem;
  const std::optional<f64> target = candidates_.options().target;
  if (!target) return false;
  const f64 loss = loss_of(on_.scorer.basis().kind, *target);
  std::optional<RankedProgram> best;
  if (Problem problem = sweep_->fetch_first(best)) return problem;
  return best && best->key.first <= in_order(loss);
}

Problem DeviceSearch::propose() {
  trials_.clear();
  if (constants_) constants_->propose(candidates_.options().population, trials_);
  VariantSearch::Proposed proposed{};
  Problem problem = search_->propose(trials_, proposed);
  if (proposed == VariantSearch::Proposed::Done) return problem;
  VariantSearch::Options larger = options();
  larger.room = std::min(2 * room_, most_room());
  const bool may_grow = proposed == VariantSearch::Proposed::NoRoom && larger.room > room_ &&
                        VariantSearch::scratch_bytes(larger) <= VariantSearch::kMostScratch;
  state_ = may_grow ? Stretched::Again : Stretched::Never;
  if (may_grow) room_ = larger.room;
  return problem;
}

Problem DeviceSearch::run_generation(const std::stop_token& stop) {
  const u32 population = candidates_.options().population;
  Problem problem;
  for (u32 begin = 0; begin < population && !stop.stop_requested(); begin += stretch_) {
    const u32 count = std::min(stretch_, population - begin);
    VariantStretch stretch{};
    problem = sweep_->next(count, stretch, search_->proposals().behind(begin));
    if (!problem) problem = run_stretch(on_, job_, stretch, count, *sweep_, state_);
    if (problem || state_ != Stretched::Done) return problem;
    problem = search_->look(begin, count, *sweep_, on_.scorer.case_scores_there());
    if (problem) return problem;
  }
  return problem;
}

Problem DeviceSearch::learn() {
  std::vector<size_t> moved_to;
  Problem problem;
  if (constants_) {
    std::vector<Found> found;
    problem = search_->fetch_trials(found);
    if (!problem) moved_to = constants_->learn(found);
  }
  if (!problem) problem = search_->learn(moved_to);
  return !problem && constants_ ? choose_constants() : problem;
}

Problem DeviceSearch::choose_constants() {
  Problem problem;
  VariantSearch::Best best;
  u32 asked_for = 0;
  size_t k = 0;  // among those here
  constants_->choose([&]() -> std::optional<Learnt> {
    if (k == best.found.size()) {
      k = 0;
      problem = search_->fetch_best(asked_for, VariantSearch::kMostGathered, best);
      if (problem || best.found.empty()) return std::nullopt;
    }
    ++asked_for;
    const size_t next = k++;
    return Learnt{best.decisions[next], best.found[next]};
  });
  return problem;
}

}  // namespace komuz::engine
