// SPDX-License-Identifier: Apache-2.0
// Steps of a search on a device for lexicase selection, which works as LexicaseSearch does on the host. Individuals with
// equal losses on all cases share a column, which belongs to the best of them. Columns are in the order of fitness.
// Selections look at columns, and individuals with a place stay.
#pragma once
#include "engine/device/search_pool.h"
#include "engine/device/search_proposals.h"

namespace komuz::engine {

template <class Machine>
class SelectionSteps {
 public:
  HD SelectionSteps(const SearchTask& task, u64 number, Machine machine)
      : task_(task), pool_{task}, number_(number), machine_(machine) {}

  // Individuals without known losses are in a layer of their own, behind the others.
  HD void enter() {
    const auto individual = static_cast<u32>(number_);
    IndividualRow own{};
    if (!pool_.is_new(individual)) {
      own = task_.individuals[individual];
    } else {
      const u64 row = pool_.row(individual);
      own.fitness = task_.found[row].fitness;
      own.size = static_cast<u32>(pool_.decisions(individual).size());
      own.layer = task_.has_losses[row] != 0 ? 0 : kWithoutLosses;
      if (own.layer == 0) own.behaviour = hash_of_losses(losses_of(row), task_.cases);
    }
    task_.pool[number_] = own;
  }
  HD void find_unlike() {
    IndividualRow& own = task_.pool[number_];
    own.differs = own.stays = own.is_first && own.layer == 0;
    if (own.stays) machine_.fetch_add(task_.counts->layers[0], 1);
  }
  HD void begin_owner() {
    task_.pool[task_.sorted[number_]].column = static_cast<u32>(number_);
    task_.owners[number_] = number_ == 0 ? Survival::asking(0, kNone) : Survival::kFree;
  }
  HD void take_pool() {
    const u64 c = number_ / task_.selected.individuals;
    const u32 individual = task_.sorted[number_ % task_.selected.individuals];
    task_.pool_losses[number_] =
        pool_.is_new(individual)
            ? losses_of(pool_.row(individual))[c]
            : task_.individual_losses[c * task_.individual_count() + individual];
  }
  HD void gauge() {
    const auto c = static_cast<u32>(number_);
    task_.gauges[c] = gauge_of(task_.selected[c], task_.selected.individuals);
  }
  HD_CALL void rank(u8* memory) {
    const LexicaseScratch scratch = SearchScratch::take(task_, memory).lexicase;
    const auto place = static_cast<u32>(number_);
    Random random = Survival::chance(task_.seed, task_.generation, place);
    const u32 count =
        rank_by_cases(task_.selected, task_.gauges, Survival::kRanked, random, scratch);
    for (u32 k = 0; k < count; ++k) ranked()[k] = scratch.pool[k];
    task_.ranked_counts[place] = count;
    task_.asked[place] = kNone;
  }
  HD void ask() {
    const auto place = static_cast<u32>(number_);
    const u32 next = Survival::next(ranked(), task_.ranked_counts[place], task_.owners,
                                    task_.asked[place], task_.round, place);
    if (next == kNone) return;
    task_.asked[place] = next;
    machine_.min_into(task_.owners[next], Survival::asking(task_.round, place));
  }
  // Individuals that are owned come first; the best of the others fill the free places.
  HD void find_owned() {
    IndividualRow& own = task_.pool[number_];
    if (own.differs) own.rank_in_size = task_.owners[own.column] == Survival::kFree ? 1 : 0;
  }
  HD void grow_stale() {
    u64& individuals = task_.counts->layers[0];
    if (individuals != 0 && task_.staleness->learn(task_.next_individuals[0].fitness))
      individuals = 1;
  }
  // Losses of the individuals that are bred from next.
  HD void take_individuals() {
    const u64 c = number_ / task_.individual_count();
    const u32 column = task_.individuals[number_ % task_.individual_count()].column;
    task_.individual_losses[number_] = task_.pool_losses[c * task_.selected.individuals + column];
  }

 private:
  static constexpr u32 kWithoutLosses = 1;

  HD const f64* losses_of(u64 row) const { return task_.losses + row * task_.cases; }
  HD u32* ranked() const { return task_.ranked + number_ * Survival::kRanked; }

  const SearchTask& task_;
  SearchPool pool_;
  u64 number_;
  Machine machine_;
};

}  // namespace komuz::engine
