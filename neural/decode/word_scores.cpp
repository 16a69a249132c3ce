// SPDX-License-Identifier: Apache-2.0
#include "neural/decode/word_scores.h"

#include <algorithm>
#include <cmath>

#include "lang/ops/math/exp.h"
#include "lang/ops/math/log.h"

namespace komuz::neural {

f64 exact_log(f64 x) { return log_lanes<LogBase::E>(x); }
f64 exact_exp(f64 x) { return exp_lanes(x); }

void WordScores::take(std::span<const f32> logits, const WordSet& allowed, f64 temperature) {
  const f32 factor = static_cast<f32>(1 / temperature);
  std::fill(scores_.begin(), scores_.end(), -INFINITY);
  bool is_first = true;
  allowed.for_each([&](u8 word) {
    // A model may overflow. An allowed word always has a score.
    f32 score = logits[word] * factor;
    if (!(score > -1e30f)) score = -1e30f;
    if (score > 1e30f) score = 1e30f;
    scores_[word] = kept_[word] = score;
    if (is_first || score > kept_[best_]) best_ = word;
    is_first = false;
  });
  largest_ = kept_[best_];
  log_sum_ = exact_log(kernels_.exponentials(scores_.data(), static_cast<u32>(scores_.size())));
}

}  // namespace komuz::neural
