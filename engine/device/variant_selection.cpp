// SPDX-License-Identifier: Apache-2.0
// Selection in a search on a device: the steps, and their elements, that choose whom to breed from next.
#include "engine/device/search_order.h"
#include "engine/device/variant_search.h"

namespace komuz::engine {

Problem VariantSearch::reserve_cases() {
  const u64 rows = options_.population, cases = options_.cases;
  Problem problem = reserve_rows(Part::Losses, rows * cases, task_.losses);
  const auto place = [&]<class T>(Part part, u64 count, T*& out) {
    if (!problem) problem = reserve_rows(part, count, out);
  };
  place(Part::HasLosses, rows, task_.has_losses);
  place(Part::GatheredLosses, options_.tells_losses ? kMostGathered * cases : 0,
        task_.gathered_losses);
  place(Part::GatheredHasLosses, kMostGathered, task_.gathered_has_losses);
  return problem;
}

Problem VariantSearch::reserve_selection() {
  const u64 places = options_.population, cases = options_.cases;
  const u64 individuals = most_individuals(options_.population),
            pooled = most_pooled(options_.population);
  Problem problem = reserve_individuals();
  const auto place = [&]<class T>(Part part, u64 count, T*& out) {
    if (!problem) problem = reserve_rows(part, count, out);
  };
  place(Part::PoolLosses, pooled * cases, task_.pool_losses);
  place(Part::IndividualLosses, individuals * cases, task_.individual_losses);
  place(Part::Gauges, cases, task_.gauges);
  place(Part::Ranked, places * Survival::kRanked, task_.ranked);
  place(Part::RankedCounts, places, task_.ranked_counts);
  place(Part::Asked, places, task_.asked);
  place(Part::Owners, pooled, task_.owners);
  place(Part::Staleness, 1, task_.staleness);
  task_.selected.cases = options_.cases;
  return std::move(problem).then([&] { return run(SearchStep::ClearStaleness, task_, 1); });
}

Problem VariantSearch::sort(SearchOrder order, u32 count) {
  task_.order = order;
  task_.sorting = count;
  Problem problem = run(SearchStep::SortBlocks, task_, count);
  std::swap(task_.sorted, task_.next_sorted);
  u64 run_length = OrderSteps::kBlock;
  for (; !problem && run_length < count; run_length *= 2) {
    task_.run = static_cast<u32>(run_length);
    problem = run(SearchStep::MergeRuns, task_, count);
    std::swap(task_.sorted, task_.next_sorted);
  }
  return problem;
}
// All of the pool; then each in its place looks at those beside it.
Problem VariantSearch::sort_pool(SearchOrder order, SearchStep then) {
  return sort(order, task_.pooled()).then([&] { return run(then, task_, task_.pooled()); });
}

Problem VariantSearch::select_by_layers() {
  task_.places = std::max(1u, most_proposals_ / AgeLayers::in_use(task_.generation));
  Problem problem = run(SearchStep::BeginLayers, task_, 1).then([&] {
    return run(SearchStep::Enter, task_, task_.pooled());
  });
  for (const auto& [order, then] : kLayerSteps)
    if (!problem) problem = sort_pool(order, then);
  return std::move(problem).then([&] { return take_individuals(); });
}

// From now on they are those that are bred from.
Problem VariantSearch::take_individuals() {
  Problem problem = fetch_counts();
  std::swap(task_.individuals, task_.next_individuals);
  std::swap(task_.individual_decisions, task_.next_decisions);
  for (u32 layer = 0; layer < AgeLayers::kLayers; ++layer)
    task_.layer_begin[layer + 1] =
        task_.layer_begin[layer] + static_cast<u32>(counts_.layers[layer]);
  return problem;
}

Problem VariantSearch::select_by_cases() {
  task_.places = most_proposals_;
  Problem problem =
      run(SearchStep::BeginLayers, task_, 1)
          .then([&] { return run(SearchStep::EnterCases, task_, task_.pooled()); })
          .then([&] { return sort_pool(SearchOrder::Fitness, SearchStep::Place); })
          .then([&] { return sort_pool(SearchOrder::Behaviour, SearchStep::FindFirst); })
          .then([&] { return run(SearchStep::FindUnlike, task_, task_.pooled()); })
          .then([&] { return fetch_counts(); });
  const auto columns = static_cast<u32>(counts_.layers[0]);
  if (problem || columns == 0) return problem;
  problem = sort(SearchOrder::Stay, task_.pooled());
  if (!problem) problem = run(SearchStep::BeginOwners, task_, columns);
  task_.selected = {task_.pool_losses, columns, task_.cases};
  if (!problem) problem = run(SearchStep::TakePool, task_, u64{columns} * task_.cases);
  if (!problem && columns > task_.places) problem = survive();
  if (!problem) problem = run(SearchStep::Keep, task_, task_.pooled());
  if (!problem) problem = run(SearchStep::GrowStale, task_, 1);
  if (!problem) problem = take_individuals();
  const u32 individuals = task_.individual_count();
  if (!problem) problem = run(SearchStep::TakeIndividuals, task_, u64{individuals} * task_.cases);
  task_.selected = {task_.individual_losses, individuals, task_.cases};
  return std::move(problem).then([&] { return run(SearchStep::Gauge, task_, task_.cases); });
}

// Puts those first that have a place.
Problem VariantSearch::survive() {
  const u32 selections = task_.places - 1;
  Problem problem = run(SearchStep::Gauge, task_, task_.cases).then([&] {
    return run(SearchStep::Rank, task_, selections);
  });
  for (task_.round = 1; !problem && task_.round <= Survival::kRounds; ++task_.round)
    problem = run(SearchStep::Ask, task_, selections);
  if (!problem) problem = run(SearchStep::FindOwned, task_, task_.pooled());
  if (!problem) problem = run(SearchStep::BeginLayers, task_, 1);
  if (!problem) problem = sort_pool(SearchOrder::Turn, SearchStep::Stay);
  return std::move(problem).then([&] { return sort(SearchOrder::Stay, task_.pooled()); });
}

}  // namespace komuz::engine
