// SPDX-License-Identifier: Apache-2.0
// Choosing whom to breed from next by the steps of a device, which sort by runs: the choice equals the host's
// (population.h), even with many equal individuals.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/group/plain_machine.h"
#include "engine/device/search_element.h"
#include "engine/search/population.h"

namespace komuz::engine {
namespace {

// Few values, so that many are equal.
Individual draw_individual(Random& random, u64 generation) {
  Individual out;
  out.decisions.assign(1 + random.below(3), random.below(1000));
  out.fitness = {random.one_in(8), static_cast<f64>(random.below(6)), 1 + random.below(2), 1};
  out.behaviour = random.below(12);
  out.born = generation - std::min<u64>(generation, random.below(60));
  return out;
}

// Memory of a device, on the host.
class Memory {
 public:
  static constexpr u32 kRows = 400, kRoom = 4;

  Memory() {
    task.individuals = individuals_.data();
    task.next_individuals = next_individuals_.data();
    task.pool = pool_.data();
    task.proposals = {words_.data(), sizes_.data(), kRoom};
    task.individual_decisions = {individual_words_.data(), individual_sizes_.data(), kRoom};
    task.next_decisions = {next_words_.data(), next_sizes_.data(), kRoom};
    task.found = found_.data();
    task.states = states_.data();
    task.extra = extra_.data();
    task.sorted = sorted_.data();
    task.next_sorted = next_sorted_.data();
    task.counts = &counts_;
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void put(u32 row, const Individual& one) {
    task.proposals.copy(row, one.decisions);
    found_[row] = {one.fitness, one.behaviour};
  }
  void set_extra(u32 number, u32 row) { extra_[number] = row; }
  void run(SearchStep step, u32 elements) {
    for (u32 k = elements; k-- > 0;) SearchElement(task, k, PlainMachine{}, nullptr).run(step);
  }
  void sort(SearchOrder order, u32 count) {
    task.order = order;
    task.sorting = count;
    run(SearchStep::SortBlocks, count);
    std::swap(task.sorted, task.next_sorted);
    for (task.run = OrderSteps::kBlock; task.run < count; task.run *= 2) {
      run(SearchStep::MergeRuns, count);
      std::swap(task.sorted, task.next_sorted);
    }
  }
  void select() {
    run(SearchStep::BeginLayers, 1);
    run(SearchStep::Enter, task.pooled());
    for (const auto& [order, step] : kLayerSteps) {
      sort(order, task.pooled());
      run(step, task.pooled());
    }
    std::swap(task.individuals, task.next_individuals);
    std::swap(task.individual_decisions, task.next_decisions);
    for (u32 k = 0; k < AgeLayers::kLayers; ++k)
      task.layer_begin[k + 1] = task.layer_begin[k] + static_cast<u32>(counts_.layers[k]);
  }

  SearchTask task{};

 private:
  std::vector<IndividualRow> individuals_{kRows}, next_individuals_{kRows}, pool_{kRows};
  std::vector<u32> words_ = std::vector<u32>(kRows * kRoom), sizes_ = std::vector<u32>(kRows),
                   individual_words_ = words_, individual_sizes_ = sizes_, next_words_ = words_,
                   next_sizes_ = sizes_, extra_ = sizes_, sorted_ = sizes_, next_sorted_ = sizes_;
  std::vector<FoundProgram> found_{kRows};
  std::vector<ProposalState> states_{kRows};
  SearchCounts counts_{};
};

TEST(SearchSelection, LayersAreThoseOfTheHost) {
  constexpr u32 kTrials = 5, kProposals = 40;
  Random random(11);
  Memory memory;
  SearchTask& task = memory.task;
  task.trials = kTrials;
  task.count = kProposals;
  Population layers[AgeLayers::kLayers];
  for (u64 generation = 0; generation < 200; ++generation) {
    const u32 in_use = AgeLayers::in_use(generation);
    for (u32 row = 0; row < kTrials + kProposals; ++row) {
      const Individual one = draw_individual(random, generation);
      memory.put(row, one);
      if (row < kTrials) continue;
      EvolvedOrigin& origin = task.states[row - kTrials].origin;
      origin.layer = random.below(in_use);
      origin.born = one.born;
      layers[origin.layer].add(one);
    }
    // Some trials, whose origin is not known, are as old as anything.
    task.extras = random.below(3);
    for (u32 k = 0; k < task.extras; ++k) {
      const u32 row = random.below(kTrials);
      memory.set_extra(k, row);
      const std::span<const u32> decisions = task.proposals[row];
      layers[in_use - 1].add({{decisions.begin(), decisions.end()},
                              task.found[row].fitness,
                              task.found[row].behaviour,
                              0});
    }
    task.generation = generation + 1;
    task.places = 3 + random.below(12);
    const u32 now_in_use = AgeLayers::in_use(task.generation);
    for (u32 layer = 0; layer < now_in_use; ++layer) {
      const u64 greatest_age = AgeLayers::greatest_age(layer);
      if (task.generation > greatest_age)
        layers[layer].move_older(task.generation - greatest_age, layers[layer + 1]);
      layers[layer].select(task.places);
    }
    memory.select();
    for (u32 layer = 0; layer < AgeLayers::kLayers; ++layer) {
      const u32 begin = task.layer_begin[layer], end = task.layer_begin[layer + 1];
      ASSERT_EQ(end - begin, layers[layer].size()) << generation << ", layer " << layer;
      for (u32 k = begin; k < end; ++k) {
        const Individual& wanted = layers[layer][k - begin];
        const std::span<const u32> decisions = task.individual_decisions[k];
        ASSERT_EQ(Decisions(decisions.begin(), decisions.end()), wanted.decisions);
        EXPECT_EQ(task.individuals[k].born, wanted.born);
        EXPECT_EQ(task.individuals[k].behaviour, wanted.behaviour);
        EXPECT_EQ(task.individuals[k].fitness.fuel, wanted.fitness.fuel);
      }
    }
  }
}

// Runs that are whole, cut short, or alone.
TEST(SearchSelection, TheOrderOfEqualsIsTheirs) {
  constexpr u32 kTrials = 3;
  for (const u32 proposals : {1u, 31u, 32u, 33u, 64u, 65u, 97u, 128u, 300u, 397u}) {
    Random random(proposals);
    Memory memory;
    memory.task.trials = kTrials;
    memory.task.count = proposals;
    for (u32 row = 0; row < kTrials + proposals; ++row) memory.put(row, draw_individual(random, 0));
    memory.sort(SearchOrder::Rows, proposals);
    std::vector<u32> wanted(proposals);
    std::iota(wanted.begin(), wanted.end(), 0u);
    std::ranges::stable_sort(wanted, [&](u32 a, u32 b) {
      return memory.task.found[kTrials + a].fitness < memory.task.found[kTrials + b].fitness;
    });
    EXPECT_EQ(std::vector<u32>(memory.task.sorted, memory.task.sorted + proposals), wanted);
  }
}

}  // namespace
}  // namespace komuz::engine
