// SPDX-License-Identifier: Apache-2.0
// Those that evolution breeds from. Of what does the same one alone stays, and sizes are kept apart: the best of each,
// the second of each and so on, as long as there are places. So large variants, of which there are most, do not
// displace small ones, which are what others are made from.
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
  u64 born = 0;  // in which generation its oldest ancestor was drawn
};

class Population {
 public:
  // For so many more.
  void make_room(size_t more) { individuals_.reserve(individuals_.size() + more); }
  void add(Individual individual) { individuals_.push_back(std::move(individual)); }
  // After a stop it does not matter, here and below, who stays where. Who is left is not given back: of a million that
  // takes long. Those born before the generation.
  void move_older(u64 generation, Population& to, const std::stop_token& stop = {});
  // Lets so many stay at most.
  void select(size_t places, const std::stop_token& stop = {});

  [[nodiscard]] bool is_empty() const { return individuals_.empty(); }
  [[nodiscard]] size_t size() const { return individuals_.size(); }
  // The best first, once they are selected.
  [[nodiscard]] const Individual& operator[](size_t rank) const { return individuals_[rank]; }

 private:
  void sort_by_fitness(const std::stop_token& stop);
  void keep_one_of_each(const std::stop_token& stop);
  // Lets the first so many stay.
  void keep(size_t count, const std::stop_token& stop);

  std::vector<Individual> individuals_;
};

}  // namespace komuz::engine
