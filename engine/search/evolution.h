// SPDX-License-Identifier: Apache-2.0
// Evolution in layers of age (the age-layered population structure; Hornby, 2006). The age of a variant is that of its oldest
// ancestor, in generations. Each layer has an age that its variants do not exceed, twice that of the layer below, and
// the last one has none; who gets too old moves up and competes there. The first layer starts anew again and again. Where no
// new child is to be had of its parents, a variant is drawn in its place, which is of the first layer and has no age.
// So what has been bred for long does not displace what is new before that has had its time to become good, and a search
// that has come to where it gets no better has other starting points all the time.
#pragma once
#include "engine/search/breeding.h"
#include "engine/search/population.h"
#include "engine/search/search.h"

namespace komuz::engine {

class Evolution final : public SearchMethod {
 public:
  Evolution(const VariantPlan& plan, u64 seed, u32 threads) : breeding_(plan, seed, threads) {}

  void propose(size_t count, std::vector<Decisions>& out) override;
  // Behind what was proposed there may be more: variants of earlier proposals, with constants that have been tuned.
  void learn(std::span<const Decisions> proposed, std::span<const Found> found) override;

 private:
  static constexpr u32 kLayers = 6;
  // Generations until the first layer starts anew, and its greatest age.
  static constexpr u64 kAgeGap = 10;
  static constexpr u32 kTournament = 4;

  // Of a proposal.
  struct Origin {
    u32 layer = 0;
    u64 born = 0;  // in which generation its oldest ancestor was drawn
    Retries retries;
  };

  [[nodiscard]] static u64 greatest_age(u32 layer);
  // Layers in which there may be something by now.
  [[nodiscard]] u32 layers_in_use() const;
  [[nodiscard]] bool make(const Breeding::Turn& turn, Decisions& out);
  // Of a child: mostly the layer itself, else the one below it.
  [[nodiscard]] const Population& parents_for(u32 layer, Random& random) const;
  [[nodiscard]] static const Individual& select_by_tournament(const Population& population,
                                                              Random& random);

  Breeding breeding_;
  u64 generation_ = 0;
  size_t places_ = 0;  // of all layers
  Population layers_[kLayers];
  std::vector<Origin> origins_;  // of the generation
};

}  // namespace komuz::engine
