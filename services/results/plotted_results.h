// SPDX-License-Identifier: Apache-2.0
// Results as the columns that charts are drawn from.
#pragma once
#include <string>
#include <vector>

#include "engine/results/results.h"
#include "services/charts/charts.h"

namespace komuz::services {

// The numbers of all candidates, in the order in which they were looked at. `results` outlive it.
class PlottedResults {
 public:
  explicit PlottedResults(const engine::Results& results);

  [[nodiscard]] CandidateColumns candidates() const;
  // Of the best one; empty where there is nothing to compare.
  [[nodiscard]] CaseColumns cases_of_best() const;
  // The charts, one below the other.
  [[nodiscard]] std::string draw() const;

 private:
  const engine::Results& results_;
  std::vector<f64> scores_;
  std::vector<u64> sizes_;
};

[[nodiscard]] Better better_of(const engine::Results& results);
// What the score is called: of exact ones it is the number of cases passed.
[[nodiscard]] std::string_view plotted_score(const engine::Results& results);

}  // namespace komuz::services
