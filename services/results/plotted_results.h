// SPDX-License-Identifier: Apache-2.0
// Results as columns for charts.
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
  // For the best candidate, on its line where the score fits one; empty if there is nothing to compare.
  [[nodiscard]] CaseColumns cases_of_best() const;
  // The charts, one below the other.
  [[nodiscard]] std::string draw() const;

 private:
  const engine::Results& results_;
  std::vector<f64> scores_;
  std::vector<u64> sizes_;
  std::vector<f64> on_line_;  // what the best candidate gives, if it has a line
};

[[nodiscard]] Better better_of(const engine::Results& results);
// The name of the score; an exact one is the number of passed cases.
[[nodiscard]] std::string_view plotted_score(const engine::Results& results);

}  // namespace komuz::services
