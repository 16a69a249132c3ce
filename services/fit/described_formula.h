// SPDX-License-Identifier: Apache-2.0
// What more is said of the formula that a fit takes: how it misses, how well its numbers are known, and where it has
// been seen.
#pragma once
#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "engine/fit/fit_data.h"
#include "engine/results/results.h"

namespace komuz::services {

// A number of the formula, and how far it may be off: within this distance it is, with a probability of 95 %, if the
// misses are independent, the formula is right, and its numbers are those of the least squares.
struct NumberInterval {
  std::string number;           // as it is written
  std::optional<f64> distance;  // none: the rows do not determine it
};

struct DescribedFormula {
  // On the rows that it is described by: the worst ones, and what it gives beside what is expected (Results::best).
  engine::Results results;
  // Quantiles of what it gives minus what is expected: the smallest, a quarter, the middle, three quarters, the
  // largest.
  std::optional<std::array<f64, 5>> residuals;
  std::vector<NumberInterval> numbers;
  // Between the smallest and the largest values of the inputs it gives no number somewhere.
  bool has_gaps = false;
  // What it divides by that is 0 somewhere there, and changes its sign: near that its values grow without end.
  std::vector<std::string> poles;
};

struct DescribeOptions {
  u32 worst = 3;  // rows
  u32 threads = 0;
  // Its values stand for classes: they are not compared with what is expected.
  bool is_of_classes = false;
  // Its numbers are those of the least squares of rows that weigh the same.
  bool has_intervals = true;
};
// `cases`: by which it is described. `data`: the rows that its numbers follow from.
Result<DescribedFormula> describe_formula(const std::string& program,
                                          const engine::CasesTable& cases,
                                          const engine::FitData& data,
                                          const DescribeOptions& options,
                                          const std::stop_token& stop);

// Does it divide by what is 0 somewhere between the smallest and the largest values of its inputs?
[[nodiscard]] bool has_poles(const std::string& program, const engine::FitData& data);

// The smallest and the largest value of an input.
struct InputRange {
  std::string name;
  f64 least = 0, most = 0;
};
[[nodiscard]] std::vector<InputRange> ranges_of(const engine::FitData& data);
// The ranges of the inputs that the formula names: "x from 0 to 10, t from 1 to 5".
[[nodiscard]] std::string ranges_text(const std::vector<InputRange>& ranges,
                                      const std::string& formula);

}  // namespace komuz::services
