// SPDX-License-Identifier: Apache-2.0
// Whose constants a search tunes: of each structure one variant, the best of those that it has proposed. A part of each
// generation is for that. It does not know who proposes the others.
#pragma once
#include <functional>
#include <optional>
#include <unordered_map>

#include "engine/search/constant_tuner.h"
#include "engine/search/search.h"

namespace komuz::engine {

class TunedConstants {
 public:
  // `plan` outlives it. After a stop it does not matter what it proposes.
  TunedConstants(const VariantPlan& plan, bool tunes_distances, std::stop_token stop = {})
      : plan_(plan), tunes_distances_(tunes_distances), stop_(std::move(stop)) {}

  // Trials in a generation of `count`, behind what is in `out`.
  void propose(size_t count, std::vector<Decisions>& out);
  // What came of them, in order. Gives the numbers of those that a variant has moved to.
  [[nodiscard]] std::vector<size_t> learn(std::span<const Found> found);

  // The best of the generation's other proposals, then the next one; none: there are no more. It lasts until the next
  // is asked for; few are, mostly.
  using Best = std::function<std::optional<Learnt>()>;
  // Whom to tune next: the best of those tuned now and of these.
  void choose(const Best& next_best);

 private:
  static constexpr size_t kShare = 4;  // of a generation at most one part of so many is for tuning
  static constexpr size_t kTrialsOfOne = 8;  // roughly, to say how many are tuned at once
  struct Subject {
    u64 structure = 0;
    ConstantTuner tuner;
    size_t trials = 0;  // of this generation
  };

  const VariantPlan& plan_;
  bool tunes_distances_;
  std::stop_token stop_;
  std::vector<Subject> subjects_;          // the best first
  std::unordered_map<u64, Fitness> done_;  // structures, and how good each got
  size_t count_ = 0;                       // of the generation
};

}  // namespace komuz::engine
