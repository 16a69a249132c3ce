// SPDX-License-Identifier: Apache-2.0
// Steps of a search on a device that choose whom to breed from next, out of a generation and its predecessors.
// Individuals enter a pool. The pool is sorted by one property after the other (search_order.h), and after each sort
// every individual looks at its neighbours. Layers of age work as in population.h.
#pragma once
#include "engine/device/search_task.h"

namespace komuz::engine {

// The pool: the individuals, then the rows to learn from, and the rows that somebody else has proposed.
struct SearchPool {
  const SearchTask& task;

  // The row that a new individual of the pool comes from.
  [[nodiscard]] HD u32 row(u32 individual) const {
    const u32 learnt = individual - task.individual_count();
    return learnt < task.count ? task.trials + learnt : task.extra[learnt - task.count];
  }
  [[nodiscard]] HD bool is_new(u32 individual) const {
    return individual >= task.individual_count();
  }
  [[nodiscard]] HD std::span<const u32> decisions(u32 individual) const {
    return is_new(individual) ? task.proposals[row(individual)]
                              : task.individual_decisions[individual];
  }
};

template <class Machine>
class IndividualSteps {
 public:
  HD IndividualSteps(const SearchTask& task, u32 number, Machine machine)
      : task_(task), pool_{task}, number_(number), machine_(machine) {}

  // From here on the generation is the next one.
  HD void begin_layers() {
    for (u32 layer = 0; layer < AgeLayers::kLayers; ++layer) task_.counts->layers[layer] = 0;
  }
  HD void enter() {
    IndividualRow own{};
    if (!pool_.is_new(number_)) {
      own = task_.individuals[number_];
    } else {
      const u32 learnt = number_ - task_.individual_count();
      const FoundProgram& found = task_.found[pool_.row(number_)];
      own.fitness = found.fitness;
      own.behaviour = found.behaviour;
      own.cost = cost_hash(found.fitness);
      own.size = static_cast<u32>(pool_.decisions(number_).size());
      if (learnt < task_.count) {
        own.layer = task_.states[learnt].origin.layer;
        own.born = task_.states[learnt].origin.born;
      } else {
        own.layer = AgeLayers::in_use(task_.generation - 1) - 1;
        own.born = 0;
      }
    }
    const u32 before = own.layer;
    while (is_too_old(own)) ++own.layer;
    own.moved = own.layer - before;
    task_.pool[number_] = own;
  }
  HD void place() { in_order(number_).place = number_; }
  HD void find_first() {
    IndividualRow& own = in_order(number_);
    own.is_first = number_ == 0 || in_order(number_ - 1).layer != own.layer ||
                   in_order(number_ - 1).behaviour != own.behaviour;
  }
  HD void find_different() {
    IndividualRow& own = in_order(number_);
    own.differs = own.is_first && (number_ == 0 || in_order(number_ - 1).layer != own.layer ||
                                   in_order(number_ - 1).cost != own.cost);
  }
  HD void rank_in_size() {
    IndividualRow& own = in_order(number_);
    if (!own.differs) return;
    own.rank_in_size = place_among([&](const IndividualRow& other) {
      return other.layer == own.layer && other.size == own.size;
    });
  }
  // A individual stays if those before it in its layer leave a place.
  HD void stay() {
    IndividualRow& own = in_order(number_);
    own.stays = own.differs && place_among([&](const IndividualRow& other) {
                                 return other.layer == own.layer;
                               }) < task_.places;
    if (own.stays) machine_.fetch_add(task_.counts->layers[own.layer], 1);
  }
  HD void keep() {
    const IndividualRow& own = in_order(number_);
    if (!own.stays) return;
    task_.next_individuals[number_] = own;
    task_.next_decisions.copy(number_, pool_.decisions(task_.sorted[number_]));
  }

 private:
  HD IndividualRow& in_order(u32 at) const { return task_.pool[task_.sorted[at]]; }
  HD bool is_too_old(const IndividualRow& individual) const {
    const u64 greatest = AgeLayers::greatest_age(individual.layer);
    return task_.generation > greatest && individual.born < task_.generation - greatest;
  }
  // The number of individuals before this one in its group for which `holds` is true.
  template <class Holds>
  HD u32 place_among(const Holds& holds) const {
    u32 low = 0, high = number_;
    while (low < high) {
      const u32 middle = low + (high - low) / 2;
      if (holds(in_order(middle)))
        high = middle;
      else
        low = middle + 1;
    }
    return number_ - low;
  }

  const SearchTask& task_;
  SearchPool pool_;
  u32 number_;
  Machine machine_;
};

}  // namespace komuz::engine
