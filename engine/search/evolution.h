// SPDX-License-Identifier: Apache-2.0
// Evolution in layers of age (AgeLayers, proposals.h).
#pragma once
#include "engine/search/breeding.h"
#include "engine/search/population.h"
#include "engine/search/search.h"

namespace komuz::engine {

class Evolution final : public SearchMethod {
 public:
  Evolution(const VariantPlan& plan, const SearchOptions& options)
      : breeding_(plan, options), stop_(options.stop), fits_(options.fits) {}

  void propose(size_t count, std::vector<Decisions>& out) override;
  void learn(std::span<const Decisions> proposed, std::span<const Found> found,
             std::span<const Learnt> tuned) override;

 private:
  Breeding breeding_;
  // An individual of a layer.
  struct Place {
    u32 layer = 0, rank = 0;
  };
  // The best of each kind; variants of a kind have the same first decision, as the form of a whole formula is.
  void find_climbers();
  // A child of one of these, with one change: where numbers are fitted, a summand that helps shows at once.
  [[nodiscard]] bool climb(const Breeding::Turn& turn, Decisions& decisions);

  std::stop_token stop_;
  std::shared_ptr<NumberFits> fits_;
  u64 generation_ = 0;
  size_t places_ = 0;  // of all layers
  Population layers_[AgeLayers::kLayers];
  std::vector<EvolvedOrigin> origins_;  // of the generation
  std::vector<std::vector<Place>> climbers_;
};

}  // namespace komuz::engine
