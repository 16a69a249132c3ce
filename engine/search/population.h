// SPDX-License-Identifier: Apache-2.0
// The variants that evolution breeds from. Of variants with the same behaviour only one stays. Sizes are kept apart:
// the best of each size, then the second of each, and so on, as long as there are places. So large variants, which
// are the most frequent, do not displace the small ones that others are made from.
#pragma once
#include <span>
#include <stop_token>
#include <vector>

#include "engine/search/search.h"

namespace komuz::engine {

struct Individual {
  Decisions decisions;
  Fitness fitness;
  u64 behaviour = 0;
  u64 born = 0;  // generation in which its oldest ancestor was drawn
};

class Population {
 public:
  // Reserves memory for so many more.
  void make_room(size_t more) { individuals_.reserve(individuals_.size() + more); }
  void add(Individual individual) { individuals_.push_back(std::move(individual)); }
  // Moves the individuals that were born before the generation. After a stop, here and below, it does not matter
  // which individuals stay where. Removed individuals are not freed then: for a million that takes long.
  void move_older(u64 generation, Population& to, const std::stop_token& stop = {});
  // Keeps at most so many.
  void select(size_t places, const std::stop_token& stop = {});

  [[nodiscard]] bool is_empty() const { return individuals_.empty(); }
  [[nodiscard]] size_t size() const { return individuals_.size(); }
  // The best first, after select().
  [[nodiscard]] const Individual& operator[](size_t rank) const { return individuals_[rank]; }

 private:
  void sort_by_fitness(const std::stop_token& stop);
  void keep_one_of_each(const std::stop_token& stop);
  // Keeps the first `count`.
  void keep(size_t count, const std::stop_token& stop);

  std::vector<Individual> individuals_;
};

}  // namespace komuz::engine
