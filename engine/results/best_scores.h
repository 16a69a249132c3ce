// SPDX-License-Identifier: Apache-2.0
// The best scores so far: the score that a candidate must reach to be among so many of the best.
#pragma once
#include <optional>
#include <queue>

#include "engine/results/results.h"

namespace komuz::engine {

class BestScores {
 public:
  BestScores(ScoreKind kind, u32 most) : kind_(kind), most_(most) {}

  void add(f64 score) {
    losses_.push(loss_of(kind_, score));
    if (losses_.size() > most_) losses_.pop();
  }
  // The worst of the best scores; none while there are too few.
  [[nodiscard]] std::optional<f64> least() const {
    if (most_ == 0 || losses_.size() < most_) return std::nullopt;
    return loss_of(kind_, losses_.top());  // undoes the negation
  }

 private:
  ScoreKind kind_;
  u32 most_;
  std::priority_queue<f64> losses_;  // the largest first
};

}  // namespace komuz::engine
