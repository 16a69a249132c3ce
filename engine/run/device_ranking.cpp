// SPDX-License-Identifier: Apache-2.0
#include "engine/run/device_ranking.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/sketch/sketch_candidates.h"

namespace komuz::engine {

// A search needs rows, and what cases brought, for itself alone: where it is done elsewhere it needs none.
bool DeviceRanking::is_wanted(bool is_search) const {
  constexpr u64 kMostCompared = 4096;  // they are compared with each other
  const EvaluateOptions& options = context_.options;
  const CaseScores most = is_search ? CaseScores::ForSink : CaseScores::None;
  const bool has_best_alone = options.ranking.best_rows != 0 && !options.ranking.ranks_later &&
                              (is_search || !options.details.sink_needs_rows) &&
                              options.details.log == nullptr &&
                              options.details.case_scores <= most &&
                              (context_.sink == nullptr || context_.sink->needs_best_alone());
  return options.programs.sketch != nullptr && has_best_alone && options.ranking.cut_off == 0 &&
         options.programs.shard.of == 1 && context_.collector.most_ranked() <= kMostCompared;
}

Result<bool> DeviceRanking::run(CandidateSource& source) {
  SearchCandidates* const candidates = source.search();
  if (!is_wanted(candidates != nullptr)) return false;
  if (candidates != nullptr) return search(*candidates);
  const VariantNumbers* const numbers = source.numbers();
  if (numbers == nullptr || numbers->count == 0 || numbers->count >= kNone) return false;
  return sweep(*numbers);
}

Candidate DeviceRanking::candidate_of(const Variant& variant) const {
  return {
      variant.id, context_.options.programs.sketch->source, {}, variant.decisions, variant.number};
}

Result<bool> DeviceRanking::open(const Variant& first) {
  if (Problem problem = context_.learn_signature(candidate_of(first))) return problem;
  return context_.results.typed &&
         context_.supply.makes_all(candidate_of(first), context_.results.suite);
}

Result<bool> DeviceRanking::sweep(const VariantNumbers& numbers) {
  Result<bool> opened = open({variant_name(numbers.at(0)), {}, numbers.at(0)});
  if (opened.problem() || !opened.value()) return opened;
  Result<std::optional<SweptVariants>> done =
      context_.device.sweep(context_.results.suite, numbers, context_.collector.most_ranked(),
                            context_.on_variants, context_.workers.stop);
  if (done.problem()) return std::move(done).problem();
  if (!done.value()) return false;
  const SweptVariants& swept = *done.value();
  if (swept.variants != numbers.count) context_.results.complete = false;
  const auto variant_of = [&](size_t k) -> Variant {
    const u64 number = numbers.at(swept.best[k].row);
    return {variant_name(number), {}, number};
  };
  if (Problem problem = add_ranked(swept, variant_of)) return problem;
  return true;
}

Result<bool> DeviceRanking::search(SearchCandidates& source) {
  const VariantPlan& plan = source.plan();
  Decisions first;
  if (!DeviceSearch::can_search(source) || !plan.unrank(0, first)) return false;
  Result<bool> opened = open({variant_name(plan, first), first, Candidate::kNoNumber});
  if (opened.problem() || !opened.value()) return opened;
  const std::stop_token& stop = context_.workers.stop;
  Result<std::optional<SweptVariants>> done = context_.device.search(
      context_.results.suite, source, context_.collector.most_ranked(), context_.on_variants, stop);
  if (done.problem()) return std::move(done).problem();
  if (!done.value()) return false;
  const SweptVariants& swept = *done.value();
  if (stop.stop_requested() || swept.is_cut_short) context_.results.complete = false;
  const auto variant_of = [&](size_t k) -> Variant {
    return {variant_name(plan, swept.decisions[k]), swept.decisions[k], Candidate::kNoNumber};
  };
  if (Problem problem = add_ranked(swept, variant_of)) return problem;
  return true;
}

// The rows of the best are made here, with all that is said of them: what a device has found is run once more.
Problem DeviceRanking::add_ranked(const SweptVariants& swept,
                                  const std::function<Variant(size_t ranked)>& variant_of) {
  const EvaluateOptions& options = context_.options;
  const Suite& suite = context_.results.suite;
  const ScoreLimits limits = {options.ranking.ends_at_failure, {}};
  std::vector<size_t> in_input_order(swept.best.size());
  std::iota(in_input_order.begin(), in_input_order.end(), size_t{0});
  std::ranges::sort(in_input_order, {}, [&](size_t k) { return swept.best[k].row; });
  std::vector<Variant> variants;
  for (const size_t k : in_input_order) variants.push_back(variant_of(k));
  std::vector<CandidateResult> results(variants.size());
  context_.workers.pool.run(static_cast<u32>(results.size()), [&](u32 worker, u32 k) {
    CandidateRunner& runner = context_.workers.runners[worker];
    const Candidate variant = candidate_of(variants[k]);
    // There is no end to wait for: a stop that came before has ended the sweep.
    if (runner.take(variant, suite, {}, results[k]))
      runner.run_alone(variant.source, suite, limits, {}, results[k]);
  });
  for (size_t k = 0; k < results.size(); ++k) {
    const RankedProgram& ranked = swept.best[in_input_order[k]];
    const std::string& id = variants[k].id;
    if (rank_key(options.ranking.score, results[k].row) != ranked.key)
      return device_problem("the device and the processor disagree on variant " + id);
    context_.shown.see(results[k].row, candidate_of(variants[k]));
    context_.winner.see(results[k].row, candidate_of(variants[k]), options.programs.sketch->source,
                        results[k].line);
    const AddedRow added = context_.collector.add_ranked(id, results[k], ranked);
    if (context_.sink != nullptr) context_.sink->on_result(context_.results, added.row);
    context_.collector.end_row();
  }
  context_.collector.set_counts(swept);
  return {};
}

}  // namespace komuz::engine
