// SPDX-License-Identifier: Apache-2.0
#include "engine/search/search.h"

#include <algorithm>
#include <iterator>

#include "engine/search/constant_tuner.h"
#include "engine/search/number_fits.h"
#include "engine/search/proposals.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::engine {

std::vector<f64> case_losses_of(const Results& results, u32 row) {
  std::vector<f64> losses;
  for (const f64 score : results.case_scores_of(row))
    losses.push_back(case_loss(results.score, score));
  return losses;
}

bool tunes_constants(const SearchOptions& options, const VariantPlan& plan) {
  const bool breeds = options.kind == SearchKind::Evolve || options.kind == SearchKind::Lexicase;
  return options.tunes_constants && breeds && has_grids(plan);
}

void settle(const VariantPlan& plan, SearchOptions& search, EvaluateOptions& evaluation) {
  search.tunes_distances =
      tunes_constants(search, plan) && sums_distances(evaluation.ranking.score);
  const ScoreKind score = evaluation.ranking.score;
  search.fits_reals = tunes_constants(search, plan) && plan.has_reals() &&
                      score != ScoreKind::Exact && !is_value_score(score);
  if (search.fits_reals && LossModel::is_needed(score)) {
    search.loss_model = std::make_shared<LossModel>();
    search.loss_model->kind = score_row(score).error;
  }
  search.threads = evaluation.machines.threads;
  evaluation.details.sink_needs_rows = true;
  if (!learns_from_cases(search)) return;
  if (evaluation.details.case_scores == CaseScores::None)
    evaluation.details.case_scores = CaseScores::ForSink;
  evaluation.ranking.ends_at_failure = false;  // every case must have a result
}

SearchCandidates::SearchCandidates(std::string_view source, const VariantPlan& plan,
                                   const SearchOptions& options, ResultSink* sink)
    : source_(source),
      plan_(plan),
      options_(options),
      sink_(sink),
      generations_(options),
      best_(options.migration ? options.migration->migrants : 0) {}

void SearchCandidates::begin(const EvaluateOptions& evaluation) {
  const ProgramOptions& programs = evaluation.programs;
  const ScoreKind score = evaluation.ranking.score;
  if (options_.fits_reals && NumberFits::measures(score) && programs.harness == kNoModule &&
      !programs.expands_variants && programs.sketch != nullptr &&
      programs.sketch->obstacle == BindObstacle::None)
    options_.fits =
        std::make_shared<NumberFits>(*programs.sketch, score, programs.entry, programs.signature);
}

void SearchCandidates::look_at_replay() {
  if (!is_replaying_ && generations_.ended() != 0) return;
  if (!is_replayed_) return;
  generations_.start_clock();
  is_replaying_ = is_replayed_();
}

bool SearchCandidates::has_room_for_all() const {
  const VariantCount& count = plan_.count();
  return !plan_.has_reals() && count.is_exact && count.exact <= options_.population;
}

u64 SearchCandidates::few_variants() const {
  constexpr u64 kFew = 1'000'000;
  const VariantCount& count = plan_.count();
  return !plan_.has_reals() && count.is_exact && count.exact <= kFew ? count.exact : 0;
}

bool SearchCandidates::has_proposed_all() {
  if (few_variants() == 0) return false;
  for (const Decisions& decisions : proposed_) known_.add(hash_of_decisions(decisions));
  return known_.size() == few_variants();
}

bool Generations::goes_on() {
  if (is_exhausted_ || has_reached_target_ || ended_ == options_.generations) return false;
  is_late_ = options_.time.count() != 0 && time_left().count() <= 0;
  return !is_late_;
}

// Those that have come from elsewhere are learnt like tuned ones: no proposal of the method has led to them.
void SearchCandidates::learn() {
  const size_t own = proposed_.size() - came_;
  std::vector<Learnt> came;
  for (size_t k = own; k < proposed_.size(); ++k) came.push_back({proposed_[k], found_[k]});
  method_->learn(std::span(proposed_).first(own), std::span(found_).first(own), came);
}

bool SearchCandidates::migrate() {
  immigrants_.clear();
  if (options_.migration == nullptr || has_room_for_all()) return true;
  for (size_t k = 0; k < proposed_.size(); ++k)
    best_.add(proposed_[k], found_[k].fitness, found_[k].behaviour);
  if (!options_.migration->is_due(generations_.ended())) return true;
  std::optional<std::vector<Decisions>> come = options_.migration->exchange(best_.list());
  if (!come) return false;
  immigrants_ = std::move(*come);
  immigrants_.resize(std::min<size_t>(immigrants_.size(), options_.population - 1));
  return true;
}

bool SearchCandidates::begin_generation() {
  if (is_cut_short_) return false;
  if (!proposed_.empty()) {
    if (found_.size() != proposed_.size()) return false;  // the generation was stopped
    if (!has_room_for_all()) learn();
    generations_.end_one(has_room_for_all() || has_proposed_all(), has_reached_target_);
  }
  if (is_replaying_) look_at_replay();
  if (options_.stop.stop_requested() || !generations_.goes_on()) return false;
  if (!migrate()) return false;
  if (has_room_for_all()) {  // no search is needed
    proposed_.resize(plan_.count().exact);
    for (u64 number = 0; number < proposed_.size(); ++number)
      if (!plan_.unrank(number, proposed_[number])) proposed_[number].clear();
  } else {
    if (method_ == nullptr) method_ = make_search(options_, plan_);
    came_ = immigrants_.size();
    method_->propose(options_.population - came_, proposed_);
    // A proposal that a stop interrupted does not belong to the generation. It stays in place: freeing a million
    // takes long.
    if (options_.stop.stop_requested()) {
      is_cut_short_ = true;
      next_ = proposed_.size();
      return false;
    }
    std::ranges::move(immigrants_, std::back_inserter(proposed_));
  }
  found_.clear();
  next_ = 0;
  return !proposed_.empty();
}

void SearchCandidates::read(CandidateBatch& batch, size_t most) {
  if (next_ == proposed_.size() && !begin_generation()) return;
  for (; most > 0 && next_ < proposed_.size() && !options_.stop.stop_requested(); --most, ++next_) {
    if (proposed_[next_].empty())
      batch.rows.push_back({batch.keep("draw " + std::to_string(++refused_)),
                            {},
                            "the variant has more than 65,536 decisions",
                            {}});
    else
      add_variant(batch, source_, plan_, proposed_[next_]);
  }
}

void SearchCandidates::on_result(const Results& results, u32 row) {
  if (is_replaying_) look_at_replay();
  Found& found = found_.emplace_back();
  if (options_.fits) options_.fits->see(results);
  if (options_.loss_model && !options_.loss_model->is_known)
    options_.loss_model->learn(results.suite);
  found.fitness = fitness_of(results, row);
  found.behaviour = results.rows[row].behaviour;
  if (options_.target && !found.fitness.is_unscored &&
      found.fitness.loss <= loss_of(results.score, *options_.target))
    has_reached_target_ = true;
  const bool is_new = results.rows[row].duplicate_of == kNone;
  if (learns_from_cases(options_) && is_new) found.case_losses = case_losses_of(results, row);
  if (sink_ != nullptr) sink_->on_result(results, row);
}

}  // namespace komuz::engine
