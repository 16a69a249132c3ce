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
      : breeding_(plan, options), stop_(options.stop) {}

  void propose(size_t count, std::vector<Decisions>& out) override;
  void learn(std::span<const Decisions> proposed, std::span<const Found> found,
             std::span<const Learnt> tuned) override;

 private:
  Breeding breeding_;
  std::stop_token stop_;
  u64 generation_ = 0;
  size_t places_ = 0;  // of all layers
  Population layers_[AgeLayers::kLayers];
  std::vector<EvolvedOrigin> origins_;  // of the generation
};

}  // namespace komuz::engine
