// SPDX-License-Identifier: Apache-2.0
// A method of search with tuned constants: a part of each generation tunes the grid points of the best variants that
// the method has proposed (tuned_constants.h). The method itself learns of a tuned variant when that got better.
#pragma once
#include <memory>

#include "engine/search/search.h"
#include "engine/search/tuned_constants.h"

namespace komuz::engine {

class TunedSearch final : public SearchMethod {
 public:
  TunedSearch(const VariantPlan& plan, std::unique_ptr<SearchMethod> method,
              const SearchOptions& options)
      : method_(std::move(method)),
        constants_(plan, TunedConstants::losses_of(options), options.stop, options.fits),
        stop_(options.stop) {
    constants_.use_model(options.loss_model);
  }

  void propose(size_t count, std::vector<Decisions>& out) override;
  void learn(std::span<const Decisions> proposed, std::span<const Found> found,
             std::span<const Learnt> tuned) override;

 private:
  std::unique_ptr<SearchMethod> method_;
  TunedConstants constants_;
  std::stop_token stop_;
  std::vector<Decisions> trials_,
      others_;  // of a generation: the first ones, and those behind them
};

}  // namespace komuz::engine
