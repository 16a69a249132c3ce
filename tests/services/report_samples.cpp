// SPDX-License-Identifier: Apache-2.0
#include "tests/services/report_samples.h"

#include <limits>

#include "base/random.h"

namespace komuz::test {

services::CandidateColumns ReportSample::columns() const {
  return {scores, sizes, services::Better::Smaller, "squared error",
          [this](u64 i) { return ids[i]; }};
}

services::CaseColumns ReportSample::cases() const {
  return {expected, actual, [](u64 i) { return "case " + std::to_string(i); }};
}

namespace {

// From 0 to 1.
f64 unit(Random& random) { return static_cast<f64>(random.below(1u << 20)) / (1u << 20); }

}  // namespace

ReportSample regression_sample(u32 candidates) {
  ReportSample sample;
  Random random(7);
  for (u32 k = 0; k < candidates; ++k) {
    const std::string digits = std::to_string(k + 1);
    sample.ids.push_back("c" + std::string(5 - digits.size(), '0') + digits);
    // Larger programs may do better, most do not.
    const u64 size = 48 + 8 * random.below(60);
    f64 score = 200;
    for (u64 halvings = random.below(4 + size / 16); halvings > 0; --halvings)
      score *= 0.5 + 0.4 * unit(random);
    if (random.below(20) == 0) score = std::numeric_limits<f64>::quiet_NaN();
    sample.scores.push_back(score);
    sample.sizes.push_back(size);
  }
  if (candidates > 100) {
    sample.scores[candidates / 3] = std::numeric_limits<f64>::infinity();
    sample.scores[candidates * 3 / 4] = 0;
    sample.sizes[candidates * 3 / 4] = 256;
  }
  for (u32 k = 0; k < 100; ++k) {
    sample.expected.push_back(20 * unit(random) - 10);
    sample.actual.push_back(sample.expected.back() + unit(random) * unit(random) - 0.3);
  }
  sample.actual[17] = 1e30;
  sample.actual[40] = std::numeric_limits<f64>::quiet_NaN();
  return sample;
}

}  // namespace komuz::test
