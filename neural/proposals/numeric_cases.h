// SPDX-License-Identifier: Apache-2.0
// What a proposal network sees of cases (neural/train/train_proposals.py says the same in PyTorch): each number as a
// few features, and what least squares say of all. Exact steps, roots and quotients alone, in a fixed order: the same
// bits everywhere.
#pragma once
#include <span>
#include <vector>

#include "base/ints.h"

namespace komuz::neural {

inline constexpr u32 kMostProposalCases = 64, kLeastProposalCases = 8, kMostProposalVariables = 9;
inline constexpr u32 kScalarFeatures = 8;  // of a number
inline constexpr u32 kFits = 4;            // lines by least squares

// Finite numbers: a column for each variable, and the values that are expected.
struct NumericCases {
  std::vector<std::vector<f32>> variables;
  std::vector<f32> expected;

  [[nodiscard]] u32 count() const { return static_cast<u32>(expected.size()); }
};

// [numbers][kScalarFeatures]
[[nodiscard]] std::vector<f32> scalar_features(std::span<const f32> numbers);

struct FitFeatures {
  std::vector<f32> slopes;  // [variables][2 * kFits]: in units of the spreads, and as they are
  f32 rests[2 * kFits];     // what is left of the variance by each fit, and its logarithm
};
[[nodiscard]] FitFeatures fit_features(const NumericCases& cases);

}  // namespace komuz::neural
