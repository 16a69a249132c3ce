// SPDX-License-Identifier: Apache-2.0
// Islands: searches of the same sketch, each with a seed of its own, whose best variants go to another one from time to
// time. A search knows only when it is asked, who goes, and who comes.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/search/row_fitness.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

struct Migration {
  u64 every = 10;    // generations
  u32 migrants = 5;  // so many go at most, and fewer than a generation has
  // Asked after so many generations, if another one follows: takes those that go, the best first, and gives those that come.
  // They take the last places of the next generation. None: the search is to end here.
  std::function<std::optional<std::vector<Decisions>>(std::span<const Decisions> leaving)> exchange;

  [[nodiscard]] bool is_due(u64 ended) const { return ended != 0 && ended % every == 0; }
};

// The seed of an island; the first one has that of all.
[[nodiscard]] inline u64 island_seed(u64 seed, u32 island) {
  Hash128 hash;
  hash.add(seed);
  hash.add(island);
  return island == 0 ? seed : hash.low;
}

// The best variants of a search so far. Of variants with the same behaviour, or with equal cost, only the best one is among them,
// the first of equally good ones.
class BestVariants {
 public:
  explicit BestVariants(u32 most) : most_(most) {}

  void add(const Decisions& decisions, const Fitness& fitness, u64 behaviour);
  // The best first.
  [[nodiscard]] std::vector<Decisions> list() const;

 private:
  struct Kept {
    Decisions decisions;
    Fitness fitness;
    u64 behaviour = 0;
  };

  u32 most_;
  std::vector<Kept> kept_;  // the best first
};

}  // namespace komuz::engine
