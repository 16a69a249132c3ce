// SPDX-License-Identifier: Apache-2.0
// Measurements in, the factors of our terms out (constants.def), and how well factors that know half of the sizes predict the others.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "services/model/model.h"

namespace komuz::services::model {

// What is known of a run that was measured.
struct Measurement {
  neural::TierChoice way = neural::TierChoice::Traditional;
  Size size;
  f64 seconds = 0;  // of the processor, of all threads
  f64 bytes = 0;
  std::string processor;
};

// Lines of `komuz model --measure --json`. A size that is there several times was measured several times.
[[nodiscard]] Result<std::vector<Measurement>> read_measurements(std::string_view file,
                                                                 std::string_view text);

// Factors that are not negative, for which the sum of the squares of relative errors is least.
struct Sample {
  Terms counts = {};
  f64 value = 0;  // above zero
};
[[nodiscard]] Terms fit_factors(std::span<const Sample> samples);

// Of one way: the factors from all sizes; and from every other size, in the order of their values, how far off they are for the rest.
struct FittedWay {
  Constants constants;
  size_t sizes = 0;
  f64 median_seconds = 0, worst_seconds = 0;  // relative errors
  f64 median_bytes = 0, worst_bytes = 0;
};
// Ways without measurements are left out. A problem: a way has fewer sizes than there is to be known of it twice.
[[nodiscard]] Result<std::vector<FittedWay>> fit_ways(std::string_view file,
                                                      std::span<const Measurement> measurements);

// Rows of constants.def, of a machine that is not stated.
[[nodiscard]] std::string rows_of(std::span<const FittedWay> ways);
// How good they are: a line for each way.
[[nodiscard]] std::string quality_of(std::span<const FittedWay> ways);

}  // namespace komuz::services::model
