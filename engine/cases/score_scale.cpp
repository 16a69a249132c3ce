// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/score_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/cases/suite.h"
#include "engine/scores/score_cells.h"
#include "engine/values/value_text.h"
#include "lang/type_walk.h"

namespace komuz::engine {
namespace {

// True if a wrong value of this type can be nearer to the expected one than another.
bool is_measured(const Suite& suite, Scalar type) {
  return !suite.has_variable_parts || is_float(type);
}

// The expected cells of all cases of one block of the result's layout.
struct ExpectedBlock {
  const Suite& suite;
  size_t first, cells;
};

template <class Visit>
void for_each_expected_block(const Suite& suite, Visit visit) {
  size_t cell = 0;
  for_each_block(suite.signature.result_type, [&](LayoutBlock block) {
    visit(block, ExpectedBlock{suite, cell, block.cells});
    cell += block.cells;
  });
}

// Calls visit(magnitude) for each cell that is finite and not 0. The cells of traps, and those behind the end of a
// list, are 0.
template <class Visit>
void for_each_magnitude(Scalar type, const ExpectedBlock& block, Visit visit) {
  for (size_t cell = block.first; cell < block.first + block.cells; ++cell) {
    if (block.suite.expects_zeros(cell)) continue;
    const u64* const column = block.suite.expected_column(cell);
    for (u32 row = 0; row < block.suite.count; ++row) {
      const f64 magnitude = std::fabs(cell_as_f64(type, column[row]));
      if (magnitude > 0 && magnitude <= kLargestFinite) visit(magnitude);
    }
  }
}

// Returns 0 if there is none. Magnitudes are in the order of their bits. Each round finds 16 more bits of the median.
f64 median_magnitude(Scalar type, const ExpectedBlock& cells) {
  constexpr u32 kDigit = 16;
  u64 left = 0, found = 0;
  for_each_magnitude(type, cells, [&](f64) { ++left; });
  if (left == 0) return 0;
  left = (left - 1) / 2;  // rank among the magnitudes that begin with the bits found
  std::vector<u64> counts(size_t{1} << kDigit);
  for (u32 shift = 64; shift != 0;) {
    shift -= kDigit;
    std::ranges::fill(counts, 0);
    for_each_magnitude(type, cells, [&](f64 magnitude) {
      const u64 bits = std::bit_cast<u64>(magnitude) >> shift;
      if (bits >> kDigit == found) ++counts[bits & (counts.size() - 1)];
    });
    size_t digit = 0;
    for (; left >= counts[digit]; ++digit) left -= counts[digit];
    found = found << kDigit | digit;
  }
  return std::bit_cast<f64>(found);
}

struct WeightedNumber {
  f64 number = 0, weight = 1;
};
f64 weight_of(const Suite& suite, u32 row) {
  return suite.weights.empty() ? 1.0 : suite.weights[row];
}
// Of two middle numbers the lower one. 0 if there is none.
f64 median(std::vector<WeightedNumber>& numbers) {
  std::ranges::sort(numbers, {}, &WeightedNumber::number);
  f64 all = 0, below = 0;
  for (const WeightedNumber& one : numbers) all += one.weight;
  for (const WeightedNumber& one : numbers) {
    below += one.weight;
    if (2 * below >= all) return one.number;
  }
  return 0;
}

f64 weighted_median_magnitude(Scalar type, const ExpectedBlock& cells) {
  std::vector<WeightedNumber> magnitudes;
  for (size_t cell = cells.first; cell < cells.first + cells.cells; ++cell)
    for (u32 row = 0; row < cells.suite.count; ++row) {
      const f64 magnitude = std::fabs(cell_as_f64(type, cells.suite.expected_cell(cell, row)));
      const f64 weight = weight_of(cells.suite, row);
      if (magnitude > 0 && magnitude <= kLargestFinite && weight != 0)
        magnitudes.push_back({magnitude, weight});
    }
  return median(magnitudes);
}

// The delta that follows from the expected values of a block.
f64 delta_of(Scalar type, const ExpectedBlock& cells) {
  constexpr f64 kOfSpread = 1.345, kOfMedian = 1.4826, kOfMean = 1.2533;
  const Suite& suite = cells.suite;
  std::vector<WeightedNumber> numbers;
  for (size_t cell = cells.first; cell < cells.first + cells.cells; ++cell)
    for (u32 row = 0; row < suite.count; ++row) {
      const f64 number = cell_as_f64(type, suite.expected_cell(cell, row));
      const f64 weight = weight_of(suite, row);
      if (suite.expected_traps[row] == Trap::None && std::isfinite(number) && weight != 0)
        numbers.push_back({number, weight});
    }
  const f64 middle = median(numbers);
  f64 sum = 0, weights = 0;
  for (WeightedNumber& one : numbers) {
    // Numbers near both ends of the range may be further apart than it is wide.
    one.number = std::min(std::fabs(one.number - middle), kLargestFinite);
    sum += one.weight * one.number;
    weights += one.weight;
  }
  const f64 distance = median(numbers);
  const f64 spread = distance > 0 ? kOfMedian * distance : sum > 0 ? kOfMean * (sum / weights) : 0;
  const f64 delta = kOfSpread * spread;
  return delta > 0 ? std::min(delta, kLargestFinite) : 1.0;
}

// The sizes of the measured blocks. A stated size stands for all of them.
std::vector<f64> sizes_of(const Suite& suite, std::optional<f64> stated) {
  std::vector<f64> sizes;
  for_each_expected_block(suite, [&](LayoutBlock block, const ExpectedBlock& cells) {
    if (!is_measured(suite, block.scalar)) return;
    sizes.push_back(stated                  ? *stated
                    : suite.weights.empty() ? median_magnitude(block.scalar, cells)
                                            : weighted_median_magnitude(block.scalar, cells));
  });
  if (stated) return sizes;
  f64 smallest = INFINITY;
  for (const f64 size : sizes) smallest = size > 0 ? std::min(smallest, size) : smallest;
  for (f64& size : sizes)
    if (size == 0 && std::isfinite(smallest)) size = smallest;
  return sizes;
}

f64 unit_of_squares(const Suite& suite) {
  constexpr i32 kOrdinary = 416;
  f64 largest = 0;
  for_each_expected_block(suite, [&](LayoutBlock block, const ExpectedBlock& cells) {
    for_each_magnitude(block.scalar, cells, [&](f64 one) { largest = std::max(largest, one); });
  });
  const i32 exponent = exponent_of(largest);
  return largest == 0 || std::abs(exponent) <= kOrdinary ? 1.0 : power_of_two(exponent);
}

// Those of errors that have no floor.
std::vector<f64> other_measures(const Suite& suite, ScoreMeasure measure,
                                std::optional<f64> stated) {
  constexpr f64 kMedian = 0.5;
  std::vector<f64> out;
  for_each_expected_block(suite, [&](LayoutBlock block, const ExpectedBlock& cells) {
    out.push_back(stated                              ? *stated
                  : measure == ScoreMeasure::Quantile ? kMedian
                                                      : delta_of(block.scalar, cells));
  });
  return out;
}

}  // namespace

ScoreScale scale_of(const Suite& suite, ScoreKind kind, f64 tolerance, std::optional<f64> stated) {
  ScoreScale scale;
  if (score_row(kind).error == ErrorKind::Squared) scale.unit = unit_of_squares(suite);
  if (kind != ScoreKind::Exact) scale.measure = stated_measure(kind);
  const bool is_relative = scale.measure == ScoreMeasure::Floor;
  if (scale.measure != ScoreMeasure::None && !is_relative)
    scale.measures = other_measures(suite, scale.measure, stated);
  // What is stated is of another kind, and tolerances have no use.
  const std::optional<f64> floor =
      is_relative || kind == ScoreKind::Exact ? stated : std::optional<f64>();
  const bool is_tolerant = !is_value_score(kind) && (tolerance > 0 || !suite.tolerances.empty());
  if (!is_relative && !is_tolerant) return scale;
  std::vector<f64> sizes = sizes_of(suite, floor);
  if (is_tolerant) scale.floors = sizes;
  for (f64& size : sizes)
    if (!floor) size = (size > 0 ? size : 1.0) * kRelativeFloor;
  if (is_relative) scale.measures = std::move(sizes);
  return scale;
}

std::vector<f64> floors_of_cells(const Suite& suite, const std::vector<f64>& floors) {
  std::vector<f64> out;
  if (floors.empty()) return out;
  size_t measured = 0;
  for_each_expected_block(suite, [&](LayoutBlock block, const ExpectedBlock&) {
    const f64 floor = is_measured(suite, block.scalar) ? floors[measured++] : 0.0;
    out.insert(out.end(), block.cells, floor);
  });
  return out;
}

}  // namespace komuz::engine
