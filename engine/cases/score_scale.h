// SPDX-License-Identifier: Apache-2.0
// How large the numbers are that cases expect, which scores measure by: so data in other units rank the same
// programs in the same order. A *measured* block of the result's layout (lang/layout.h) is one that may be off:
// where a type has lists, sums or Options that is one of floats, else any.
//
// A floor is what stands for a number that is nearer to 0 (score_cells.h). Of each measured block its *size* is the
// median of |expected|, without zeros and what is not finite, of an even number the lower one in the middle; of a
// block that is always 0 it is the smallest of the other blocks' sizes. Tolerances have the size as floor, relative
// errors 2⁻⁵² of it. Where nothing but 0 is expected, no size is known: the floors are 0 and 2⁻⁵², in either case
// what is not 0 ranks behind what is. Floors may also be stated.
//
// The unit of squares is 1 where the largest |expected| is between 2⁻⁴¹⁶ and 2⁴¹⁷: squares of errors that are 2⁻⁹⁰
// to 2⁷⁰ of it then fit an f64, as does the sum of all. Else it is the largest power of two that is not above it,
// and not beyond 2^±1000.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/scores/result_row.h"

namespace komuz::engine {

class Suite;

struct ScoreScale {
  // Of tolerances and of relative errors, of the measured blocks, in order; empty: there are none.
  std::vector<f64> floors, relative_floors;
  f64 unit = 1;
  bool operator==(const ScoreScale&) const = default;
};

// `tolerance`: of cases that have none of their own. `floor`: the stated one.
[[nodiscard]] ScoreScale scale_of(const Suite& suite, ScoreKind kind, f64 tolerance,
                                  std::optional<f64> floor);
// Those of each cell of a result; 0 of one that is not measured. Empty: there are none.
[[nodiscard]] std::vector<f64> floors_of_cells(const Suite& suite, const std::vector<f64>& floors);

}  // namespace komuz::engine
