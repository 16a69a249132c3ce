// SPDX-License-Identifier: Apache-2.0
// Makes arguments that fail simpler, as long as they still fail. Works on the choices that made them
// (engine/testing/value_sampler.h), after the idea of David MacIver's Hypothesis. A round makes a list of simpler
// choices, runs the resulting arguments as one batch, and goes on from the simplest that fails as before. Choices are
// simpler if they are fewer, or if they are as many and the first difference is smaller; so shrinking ends. The cells
// that are made for it are bounded, so large values may be left less simple than they could be.
#pragma once
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/cases/case_columns.h"
#include "engine/testing/value_sampler.h"

namespace komuz::engine {

// The cases of a batch with so many cells a case; fewer if these are many, which bounds the batch's memory.
[[nodiscard]] u32 sample_batch(size_t cells);

// Runs cases: for each, whether it fails in the way that is wanted.
using FailingCases = std::function<void(CaseColumns& cases, std::vector<bool>& fails)>;

class Shrinker {
 public:
  // All outlive it. `slot_types`: of the cases. `stop`: null for none.
  Shrinker(ValueSampler& sampler, std::span<const u8> slot_types, FailingCases run,
           const std::stop_token* stop);
  // The simplest choices found from those of a failing case on.
  [[nodiscard]] Choices shrink(Choices failing);

 private:
  bool round();
  [[nodiscard]] bool is_stopped() const;
  // Nothing more is to be tried in the round.
  [[nodiscard]] bool is_settled() const;
  void propose(const std::vector<u64>& numbers);
  void try_candidates();
  void remove_elements();
  void clear_runs();
  template <class Put>
  void lower(u64 number, Put put);
  void lower_numbers();
  void lower_fraction(std::vector<u64>& numbers, size_t k, u64 number);
  void lower_pairs();
  void lower_both(std::vector<u64>& numbers, size_t k, size_t other);

  ValueSampler& sampler_;
  CaseColumns columns_;
  std::vector<u64> cells_;
  const u32 batch_;
  const FailingCases run_;
  const std::stop_token* stop_;
  Choices best_;
  std::vector<Choices> candidates_;
  std::vector<bool> fails_;
  std::optional<Choices> simplest_;  // of the round
  u32 replays_ = 0;                  // of the round
  u64 made_cells_ = 0;               // of all replays
};

}  // namespace komuz::engine
