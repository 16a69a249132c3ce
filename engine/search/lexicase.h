// SPDX-License-Identifier: Apache-2.0
// Lexicase selection (Spector, 2012): the cases are taken in random order, and of the individuals those stay that are the best on
// a case, until one is left or no case. So who is best on few cases is chosen, too, whom a sum over all cases would hide.
// Where losses are not just two values, those stay that are within ε of the best: the median absolute deviation of the
// case's losses from their median, over all individuals (semi-dynamic ε-lexicase; La Cava et al., 2016 and 2019).
#pragma once
#include <span>
#include <vector>

#include "base/random.h"

namespace komuz::engine {

class Lexicase {
 public:
  // Of each individual its losses by case, equally many; they outlive it.
  explicit Lexicase(std::vector<std::span<const f64>> losses);

  // Kept from selection to selection, so that it stops allocating.
  struct Scratch {
    std::vector<u32> cases, pool;
  };
  // One of those that are left; there has to be one.
  [[nodiscard]] u32 select(Random& random, Scratch& scratch) const;
  // It cannot be selected any more.
  void remove(u32 individual);
  [[nodiscard]] size_t left() const { return left_.size(); }
  [[nodiscard]] f64 epsilon(u32 case_index) const { return epsilons_[case_index]; }

 private:
  std::vector<std::span<const f64>> losses_;
  std::vector<f64> epsilons_;  // by case
  std::vector<u32> cases_;     // all
  std::vector<u32> left_;      // individuals, rising
};

}  // namespace komuz::engine
