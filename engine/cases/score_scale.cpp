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

// The sizes of the measured blocks. A stated size stands for all of them.
std::vector<f64> sizes_of(const Suite& suite, std::optional<f64> stated) {
  std::vector<f64> sizes;
  for_each_expected_block(suite, [&](LayoutBlock block, const ExpectedBlock& cells) {
    if (!is_measured(suite, block.scalar)) return;
    sizes.push_back(stated ? *stated : median_magnitude(block.scalar, cells));
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

}  // namespace

ScoreScale scale_of(const Suite& suite, ScoreKind kind, f64 tolerance, std::optional<f64> floor) {
  ScoreScale scale;
  if (score_row(kind).error == ErrorKind::Squared) scale.unit = unit_of_squares(suite);
  const bool is_relative = divides_by_expected(kind);
  const bool is_tolerant = !is_value_score(kind) && (tolerance > 0 || !suite.tolerances.empty());
  if (!is_relative && !is_tolerant) return scale;
  std::vector<f64> sizes = sizes_of(suite, floor);
  if (is_tolerant) scale.floors = sizes;
  for (f64& size : sizes)
    if (!floor) size = (size > 0 ? size : 1.0) * kRelativeFloor;
  if (is_relative) scale.relative_floors = std::move(sizes);
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
