// SPDX-License-Identifier: Apache-2.0
// From logits to probabilities of the words that the mask allows. It has memory for one row, and calculates as all
// machines do.
#pragma once
#include <span>
#include <vector>

#include "neural/model/kernels.h"
#include "neural/model/weights.h"
#include "neural/tokens/word_set.h"

namespace komuz::neural {

// The natural logarithm and exponential, the same on every machine.
[[nodiscard]] f64 exact_log(f64 x);
[[nodiscard]] f64 exact_exp(f64 x);

class WordScores {
 public:
  WordScores(const Kernels& kernels, u32 words) : kernels_(kernels), scores_(words) {}

  // Takes the logits of a row over a temperature above 0. `allowed` is not empty, and has no word that the model lacks.
  void take(std::span<const f32> logits, const WordSet& allowed, f64 temperature);
  // Of an allowed word.
  [[nodiscard]] f64 log_probability(u8 word) const {
    return (f64{kept_[word]} - largest_) - log_sum_;
  }
  // The allowed word with the largest score, of several the first.
  [[nodiscard]] u8 best() const { return best_; }

 private:
  const Kernels& kernels_;
  Numbers scores_;
  f32 kept_[256] = {};
  f64 largest_ = 0, log_sum_ = 0;
  u8 best_ = 0;
};

}  // namespace komuz::neural
