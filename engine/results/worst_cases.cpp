// SPDX-License-Identifier: Apache-2.0
#include "engine/results/worst_cases.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace komuz::engine {

std::vector<u32> worst_cases(ScoreKind kind, std::span<const f64> scores, u32 most) {
  const f64 perfect = is_larger_case_better(kind) ? 1 : 0;
  // A bad case comes before an infinite error.
  struct Loss {
    bool is_bad = false;
    f64 loss = 0;
    u32 number = 0;
  };
  const auto is_worse = [](const Loss& a, const Loss& b) {
    if (a.is_bad != b.is_bad) return a.is_bad;
    return a.loss != b.loss ? a.loss > b.loss : a.number < b.number;
  };
  std::vector<Loss> worst;  // so far, the worst first
  for (u32 k = 0; k < scores.size() && most != 0; ++k) {
    const bool is_bad = std::isnan(scores[k]);
    const Loss loss{is_bad, is_bad ? 0 : std::abs(scores[k] - perfect), k};
    if (!is_bad && loss.loss <= 0) continue;
    if (worst.size() == most && !is_worse(loss, worst.back())) continue;
    if (worst.size() == most) worst.pop_back();
    worst.insert(std::ranges::upper_bound(worst, loss, is_worse), loss);
  }
  std::vector<u32> out;
  for (const Loss& loss : worst) out.push_back(loss.number);
  return out;
}

}  // namespace komuz::engine
