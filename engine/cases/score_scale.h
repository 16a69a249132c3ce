// SPDX-License-Identifier: Apache-2.0
// How large the expected numbers are. Scores measure by this scale, so data in other units rank the same programs in
// the same order. A *measured* block of the result's layout (lang/layout.h) is one whose values may be near the
// expected ones: in a type with lists, sums or Options only blocks of floats, else every block.
//
// A floor replaces a number that is nearer to 0 than the floor (score_cells.h). The *size* of a measured block is the
// median of |expected|, without zeros and values that are not finite; of two middle values the lower one counts. A
// block whose expected values are all 0 takes the smallest size of the other blocks. The size is the floor for
// tolerances; 2⁻⁵² of the size is the floor for relative errors. If all expected values are 0, no size is known, and
// the floors are 0 and 2⁻⁵²: in both cases a value other than 0 ranks behind 0. Floors may also be stated.
//
// Other measures of errors:
//   delta     the distance from which on `huber` and `log-cosh` count distances, and no squares. Unless stated it is 1.345
//             times the spread of the expected values of a block, so that data in other units rank the same. The spread is
//             1.4826 times the median of the distances from their median: the standard deviation of normal numbers,
//             whatever some others are. If that is 0, it is 1.2533 times the mean of these distances; if all are equal, 1
//   quantile  of `quantile`, unless stated ½
//
// With weights of cases, medians and means are weighted: as if a case stood there as often as its weight says.
//
// The unit of squares is 1 if the largest |expected| is between 2⁻⁴¹⁶ and 2⁴¹⁷: the squares of errors from 2⁻⁹⁰ to
// 2⁷⁰ of it then fit an f64, and so does their sum. Otherwise the unit is the largest power of two that is not above
// it, limited to 2^±1000.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/scores/result_row.h"

namespace komuz::engine {

class Suite;

struct ScoreScale {
  // Floors for tolerances, and what errors are measured by, one for each measured block in order; empty if there are none.
  std::vector<f64> floors, measures;
  ScoreMeasure measure = ScoreMeasure::None;  // what `measures` are
  f64 unit = 1;
  bool operator==(const ScoreScale&) const = default;
};

// `tolerance`: for cases that have none of their own. `stated`: the measure that is stated (stated_measure()).
[[nodiscard]] ScoreScale scale_of(const Suite& suite, ScoreKind kind, f64 tolerance,
                                  std::optional<f64> stated);
// The floor of each cell of a result, 0 for a cell that is not measured; empty if there are none.
[[nodiscard]] std::vector<f64> floors_of_cells(const Suite& suite, const std::vector<f64>& floors);

}  // namespace komuz::engine
