// SPDX-License-Identifier: Apache-2.0
// Chooses the variants whose constants a search tunes: for each structure, the best variant that was proposed. A part
// of each generation is for tuning. This class does not know the method that proposes the rest.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "engine/search/search.h"
#include "engine/search/tuner.h"

namespace komuz::engine {

class TunedConstants {
 public:
  // What the losses of cases are, if they are known.
  enum class Losses : u8 { None, Squares, Distances };
  [[nodiscard]] static Losses losses_of(const SearchOptions& options);
  // `plan` outlives it. After a stop its proposals are meaningless.
  TunedConstants(const VariantPlan& plan, Losses losses, std::stop_token stop = {},
                 std::shared_ptr<NumberFits> fits = {})
      : plan_(plan), losses_(losses), stop_(std::move(stop)), fits_(std::move(fits)) {}
  // Null: the losses are what `losses` says.
  void use_model(std::shared_ptr<const LossModel> model) { model_ = std::move(model); }

  // Appends trials for a generation of `count` to `out`.
  void propose(size_t count, std::vector<Decisions>& out);
  // The results of the trials, in order. Returns the numbers of the trials that variants have moved to.
  [[nodiscard]] std::vector<size_t> learn(std::span<const Found> found);

  // The best of the generation's other proposals, then the next best; none if there are no more. A proposal lasts
  // until the next call. Mostly only few are asked for.
  using Best = std::function<std::optional<Learnt>()>;
  // Chooses the variants to tune next: the best of those tuned now and of these.
  void choose(const Best& next_best);

 private:
  static constexpr size_t kShare = 4;  // at most this fraction of a generation is for tuning
  static constexpr u32 kMostFits =
      2;  // of a structure with numbers, though none of them begins better
  static constexpr size_t kMostQuick = 4;    // of one generation: each is fitted on all cases
  static constexpr size_t kTrialsOfOne = 8;  // a rough number, to decide how many are tuned at once
  struct Subject {
    u64 structure = 0;
    std::unique_ptr<Tuner> tuner;
    size_t trials = 0;  // of this generation
  };

  [[nodiscard]] std::unique_ptr<Tuner> make_tuner(const Learnt& of) const;

  const VariantPlan& plan_;
  Losses losses_;
  std::shared_ptr<const LossModel> model_;
  std::stop_token stop_;
  std::shared_ptr<NumberFits> fits_;
  std::vector<Subject> subjects_;  // the best first
  // Structures, and the best fitness that each reached. From other numbers a fit may come to another end.
  struct Done {
    Fitness fitness;
    u32 fits = 0;
  };
  std::unordered_map<u64, Done> done_;
  size_t count_ = 0;  // of the generation
};

}  // namespace komuz::engine
