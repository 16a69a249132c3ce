// SPDX-License-Identifier: Apache-2.0
#include "engine/device/variant_search.h"

#include <algorithm>

#include "engine/device/search_proposals.h"

namespace komuz::engine {

size_t VariantSearch::scratch_bytes(const Options& options) {
  const bool selects = options.method == DeviceMethod::Lexicase;
  return SearchScratch::bytes(options.variants, options.room, selects ? options.cases : 0,
                              selects ? static_cast<u32>(most_pooled(options.population)) : 0);
}

u64 VariantSearch::losses(const Options& options) {
  const u64 rows = options.population, cases = options.cases;
  const bool selects = options.method == DeviceMethod::Lexicase;
  return cases *
         (selects ? rows + most_pooled(options.population) + most_individuals(options.population)
                  : rows);
}

Problem VariantSearch::begin(const Options& options) {
  constexpr u64 kFirstSlots = u64{1} << 14;
  constexpr size_t kAllScratch = size_t{1} << 30;
  options_ = options;
  counts_ = {};
  is_other_first_ = false;
  most_proposals_ = 0;
  task_ = {};
  task_.variants = options.variants;
  task_.method = options.method;
  task_.seed = options.seed;
  task_.score = options.score;
  task_.cases = options.cases;
  task_.scratch_bytes = scratch_bytes(options);
  task_.threads = static_cast<u32>(
      std::clamp<size_t>(kAllScratch / task_.scratch_bytes, 1, options.population));
  Problem problem = reserve_generation().then([&] { return make_first(kFirstSlots); });
  if (!problem && options.cases != 0) problem = reserve_cases();
  if (!problem) {
    switch (options.method) {
      case DeviceMethod::Evolve: problem = reserve_individuals(); break;
      case DeviceMethod::Lexicase: problem = reserve_selection(); break;
      case DeviceMethod::Local: problem = reserve_climbers(); break;
      case DeviceMethod::Random: break;
    }
  }
  if (!problem) problem = send(task_.counts, &counts_, sizeof counts_);
  return problem;
}

Problem VariantSearch::reserve_decisions(Part words, Part sizes, u64 rows, DecisionRows& out) {
  out.room = options_.room;
  return reserve_rows(words, rows * out.room, out.words).then([&] {
    return reserve_rows(sizes, rows, out.sizes);
  });
}

Problem VariantSearch::reserve_generation() {
  const u64 rows = options_.population;
  Problem problem = reserve_decisions(Part::Proposals, Part::Sizes, rows, task_.proposals);
  const auto place = [&]<class T>(Part part, u64 count, T*& out) {
    if (!problem) problem = reserve_rows(part, count, out);
  };
  place(Part::Found, rows, task_.found);
  place(Part::States, rows, task_.states);
  place(Part::Sorted, most_pooled(options_.population), task_.sorted);
  place(Part::NextSorted, most_pooled(options_.population), task_.next_sorted);
  place(Part::GatheredFound, kMostGathered, task_.gathered_found);
  place(Part::Counts, 1, task_.counts);
  place(Part::Scratch, task_.threads * task_.scratch_bytes, task_.scratch);
  if (!problem)
    problem = reserve_decisions(Part::Gathered, Part::GatheredSizes, kMostGathered, task_.gathered);
  if (options_.all == 0 || problem) return problem;
  u64 slots = 2;
  while (slots < 2 * options_.all) slots *= 2;
  task_.all.mask = slots - 1;
  place(Part::All, slots, task_.all.slots);
  return std::move(problem).then([&] { return run(SearchStep::ClearAll, task_, slots); });
}

Problem VariantSearch::reserve_climbers() {
  const u32 count = options_.population;
  return reserve_rows(Part::Climbers, count, task_.climbers)
      .then([&] {
        return reserve_decisions(Part::ClimberDecisions, Part::ClimberSizes, count,
                                 task_.climber_decisions);
      })
      .then([&] { return run(SearchStep::ClearClimbers, task_, count); });
}

Problem VariantSearch::reserve_individuals() {
  const u64 individuals = most_individuals(options_.population);
  Problem problem = reserve_rows(Part::Individuals, individuals, task_.individuals);
  const auto place = [&]<class T>(Part part, u64 count, T*& out) {
    if (!problem) problem = reserve_rows(part, count, out);
  };
  place(Part::NextIndividuals, individuals, task_.next_individuals);
  place(Part::Pool, most_pooled(options_.population), task_.pool);
  u32* extra = nullptr;
  place(Part::Extra, options_.population, extra);
  task_.extra = extra;
  if (!problem)
    problem = reserve_decisions(Part::IndividualDecisions, Part::IndividualSizes, individuals,
                                task_.individual_decisions);
  if (!problem)
    problem =
        reserve_decisions(Part::NextDecisions, Part::NextSizes, individuals, task_.next_decisions);
  return problem;
}

Problem VariantSearch::make_first(u64 slots) {
  task_.first_before = task_.first;
  is_other_first_ = !is_other_first_;
  task_.first.mask = slots - 1;
  return reserve_rows(is_other_first_ ? Part::OtherFirst : Part::First, slots, task_.first.slots)
      .then([&] { return run(SearchStep::ClearFirst, task_, slots); });
}
// Keeps the table at most half full, even if all proposals are new.
Problem VariantSearch::grow_first() {
  const u64 before = task_.first.mask + 1, wanted = 2 * (counts_.distinct + task_.count);
  u64 slots = before;
  while (slots < wanted) slots *= 2;
  if (slots == before) return {};
  return make_first(slots).then([&] { return run(SearchStep::MoveFirst, task_, before); });
}

Problem VariantSearch::fetch_counts() { return fetch(&counts_, task_.counts, sizeof counts_); }

Problem VariantSearch::run_each(std::span<const SearchStep> steps, u64 elements) {
  Problem problem;
  for (const SearchStep step : steps)
    if (!problem) problem = run(step, task_, elements);
  return problem;
}

Problem VariantSearch::send_trials(std::span<const Decisions> trials, Proposed& out) {
  const u32 room = options_.room;
  std::vector<u32> words(trials.size() * room), sizes;
  for (size_t k = 0; k < trials.size(); ++k) {
    if (trials[k].size() > room) out = Proposed::NoRoom;
    if (out != Proposed::Done) return {};
    std::ranges::copy(trials[k], words.begin() + static_cast<std::ptrdiff_t>(k * room));
    sizes.push_back(static_cast<u32>(trials[k].size()));
  }
  return send(task_.proposals.words, words.data(), words.size() * sizeof(u32)).then([&] {
    return send(task_.proposals.sizes, sizes.data(), sizes.size() * sizeof(u32));
  });
}

Problem VariantSearch::propose(std::span<const Decisions> trials, Proposed& out) {
  out = Proposed::Done;
  task_.trials = static_cast<u32>(trials.size());
  task_.count = options_.population - task_.trials;
  most_proposals_ = std::max(most_proposals_, task_.count);
  Problem problem = send_trials(trials, out);
  if (problem || out != Proposed::Done) return problem;
  problem = grow_first();
  if (!problem) problem = run(SearchStep::Begin, task_, task_.count);
  do {
    ++task_.turn;
    constexpr SearchStep kTurn[] = {SearchStep::Make, SearchStep::Claim, SearchStep::Settle};
    if (!problem) problem = run(SearchStep::BeginTurn, task_, 1);
    if (!problem) problem = run_each(kTurn, task_.count);
    if (!problem) problem = fetch_counts();
    if (problem) return problem;
  } while (counts_.left != 0 && counts_.no_room == 0 && counts_.refused == 0);
  if (counts_.no_room != 0) out = Proposed::NoRoom;
  if (counts_.refused != 0) out = Proposed::Refused;
  return problem;
}

Problem VariantSearch::look(u32 begin, u32 count, const VariantSweep& sweep,
                            const f64* case_scores) {
  task_.stretch_begin = begin;
  task_.known = sweep.known();
  task_.slots = sweep.slots();
  task_.programs = sweep.found();
  task_.first_row = sweep.first_row();
  task_.first_program = sweep.first_program();
  task_.case_scores = case_scores;
  Problem problem = run(SearchStep::Look, task_, count);
  if (!problem && task_.cases != 0)
    problem = run(SearchStep::LookAtCases, task_, u64{count} * task_.cases);
  return std::move(problem).then([&] { return fetch_counts(); });
}

Problem VariantSearch::learn(std::span<const size_t> moved_to) {
  ++task_.generation;
  switch (task_.method) {
    case DeviceMethod::Random: return {};
    case DeviceMethod::Local: return run(SearchStep::Climb, task_, task_.count);
    case DeviceMethod::Evolve:
    case DeviceMethod::Lexicase: break;
  }
  const std::vector<u32> extra(moved_to.begin(), moved_to.end());
  task_.extras = static_cast<u32>(extra.size());
  Problem problem = send(const_cast<u32*>(task_.extra), extra.data(), extra.size() * sizeof(u32));
  if (problem) return problem;
  return task_.method == DeviceMethod::Lexicase ? select_by_cases() : select_by_layers();
}

Problem VariantSearch::fetch_trials(std::vector<Found>& out) {
  std::vector<FoundProgram> there(task_.trials);
  Problem problem = fetch(there.data(), task_.found, there.size() * sizeof(FoundProgram));
  out.clear();
  for (const FoundProgram& one : there) out.push_back({one.fitness, one.behaviour, {}});
  if (!problem && options_.tells_losses)
    problem = fetch_losses(task_.losses, task_.has_losses, out);
  return problem;
}

// A row for each that is new. Those known from before have none.
Problem VariantSearch::fetch_losses(const f64* losses, const u8* has_losses, std::span<Found> out) {
  const size_t cases = task_.cases;
  std::vector<f64> rows(out.size() * cases);
  std::vector<u8> has_row(out.size());
  Problem problem = fetch(rows.data(), losses, rows.size() * sizeof(f64)).then([&] {
    return fetch(has_row.data(), has_losses, has_row.size());
  });
  for (size_t k = 0; k < out.size() && !problem; ++k) {
    const f64* const own = rows.data() + k * cases;
    if (has_row[k] != 0) out[k].case_losses.assign(own, own + cases);
  }
  return problem;
}

Problem VariantSearch::fetch_best(u32 first, u32 count, Best& out) {
  count = std::min(count, task_.count - std::min(first, task_.count));
  Problem problem;
  if (first == 0) problem = sort(SearchOrder::Rows, task_.count);
  task_.gathered_begin = first;
  if (!problem) problem = run(SearchStep::Gather, task_, count);
  if (!problem && options_.tells_losses)
    problem = run(SearchStep::GatherCases, task_, u64{count} * task_.cases);
  const DecisionRows& there = task_.gathered;
  std::vector<u32> sizes(count), words(u64{count} * there.room);
  std::vector<FoundProgram> found(count);
  if (!problem) problem = fetch(sizes.data(), there.sizes, count * sizeof(u32));
  if (!problem) problem = fetch(words.data(), there.words, words.size() * sizeof(u32));
  if (!problem) problem = fetch(found.data(), task_.gathered_found, count * sizeof(FoundProgram));
  out.decisions.clear();
  out.found.clear();
  for (size_t k = 0; k < count && !problem; ++k) {
    const u32* const own = words.data() + k * there.room;
    out.decisions.emplace_back(own, own + sizes[k]);
    out.found.push_back({found[k].fitness, found[k].behaviour, {}});
  }
  if (!problem && options_.tells_losses)
    problem = fetch_losses(task_.gathered_losses, task_.gathered_has_losses, out.found);
  return problem;
}

Result<std::unique_ptr<VariantSearch>> open_variant_search(const vm::WarpDevice& device,
                                                           size_t memory) {
  if (device.gpu() < 0) return host_variant_search(memory);
  return open_cuda_variant_search(device.gpu());
}

}  // namespace komuz::engine
