// SPDX-License-Identifier: Apache-2.0
// Evolution by lexicase selection, which selects the survivors of a generation and its offspring, and the parents
// among these.
#pragma once
#include "engine/search/breeding.h"
#include "engine/search/case_selection.h"
#include "engine/search/search.h"

namespace komuz::engine {

class LexicaseSearch final : public SearchMethod {
 public:
  LexicaseSearch(const VariantPlan& plan, const SearchOptions& options)
      : breeding_(plan, options),
        seed_(options.seed),
        stop_(options.stop),
        selection_(breeding_.pool(), options.stop) {}

  void propose(size_t count, std::vector<Decisions>& out) override;
  void learn(std::span<const Decisions> proposed, std::span<const Found> found,
             std::span<const Learnt> tuned) override;

 private:
  struct Individual {
    Decisions decisions;
    Found found;
  };

  void keep_one_of_each();
  void survive();
  void look_at_losses();

  Breeding breeding_;
  u64 seed_, generation_ = 0;
  std::stop_token stop_;
  std::vector<Retries> retries_;        // of the generation
  u32 places_ = 0;                      // of the population
  std::vector<Individual> population_;  // the best first
  CaseSelection selection_;
  Staleness staleness_;
};

}  // namespace komuz::engine
