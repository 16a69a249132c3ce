// SPDX-License-Identifier: Apache-2.0
// A method of search with constant tuning: a part of each generation goes to the points of grids of the best variants that it has
// proposed, of each structure one. The method itself learns of a tuned variant where that got better.
#pragma once
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "engine/search/constant_tuner.h"
#include "engine/search/search.h"

namespace komuz::engine {

class TunedSearch final : public SearchMethod {
 public:
  TunedSearch(const VariantPlan& plan, std::unique_ptr<SearchMethod> method, bool tunes_distances)
      : plan_(plan), method_(std::move(method)), tunes_distances_(tunes_distances) {}

  void propose(size_t count, std::vector<Decisions>& out) override;
  void learn(std::span<const Decisions> proposed, std::span<const Found> found) override;

 private:
  static constexpr size_t kShare = 4;  // of a generation at most one part of so many is for tuning
  static constexpr size_t kTrialsOfOne = 8;  // roughly, to say how many are tuned at once
  struct Subject {
    u64 structure = 0;
    ConstantTuner tuner;
    size_t trials = 0;  // of this generation
  };

  // Whom to tune next: the best of those tuned now and of what the method has proposed.
  void choose(std::span<const Decisions> proposed, std::span<const Found> found);

  const VariantPlan& plan_;
  std::unique_ptr<SearchMethod> method_;
  bool tunes_distances_;
  std::vector<Subject> subjects_;          // the best first
  std::unordered_map<u64, Fitness> done_;  // structures, and how good each got
  size_t trials_ = 0;                      // the first ones of a generation
};

}  // namespace komuz::engine
