// SPDX-License-Identifier: Apache-2.0
// Whoever changes the constants of one variant, while the rest of it stays: asks for trials, is told their results, and moves to the
// best of them.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "engine/search/fitness.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

class Tuner {
 public:
  virtual ~Tuner() = default;
  // Appends trials for the next generation to `out`, at most `most`.
  virtual void propose(size_t most, std::vector<Decisions>& out) = 0;
  // The results of the trials, in order. Returns the number of the trial that the tuner moves to; none if it stays.
  virtual std::optional<size_t> learn(std::span<const Found> found) = 0;
  [[nodiscard]] virtual const Fitness& fitness() const = 0;
  // True if it began with numbers that had been fitted, and ends soon.
  [[nodiscard]] virtual bool is_quick() const { return false; }
  // True if there is nothing more to try.
  [[nodiscard]] virtual bool is_done() const = 0;
};

}  // namespace komuz::engine
