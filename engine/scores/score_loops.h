// SPDX-License-Identifier: Apache-2.0
// The loops of scoring over columns of cells, compiled once for each instruction set. All give the same bits.
#pragma once
#include <span>

#include "engine/scores/line_fit.h"
#include "engine/scores/score_cells.h"
#include "lang/types.h"
#include "vm/vm.h"

namespace komuz::engine {

// Columns have `rows` elements. `failed` holds 0 or 1 for each case.
struct ScoreLoops {
  // failed |= actual differs from expected: IEEE for floats, a NaN equals a NaN.
  void (*mark_different)(Scalar type, const u64* actual, const u64* expected, u32 rows,
                         u64* failed);
  // The same, but a value within the case's tolerance counts as equal. `floor` as is_near() takes it.
  void (*mark_beyond)(Scalar type, const u64* actual, const u64* expected, const f64* tolerances,
                      f64 floor, u32 rows, u64* failed);
  // errors += the error, which is a NaN if exactly one of the two values is. `measure` as error_of() takes it.
  void (*add_errors)(Scalar type, const u64* actual, const u64* expected, u32 rows, ErrorKind kind,
                     f64 measure, f64* errors);
  // Multiplies errors by the weights of their cases; without a weight, a case has no error, whatever it was.
  void (*weigh)(const f64* weights, u32 rows, f64* errors);
  // numbers[i] becomes the number that the cell represents.
  void (*to_numbers)(Scalar type, const u64* cells, u32 rows, f64* numbers);
  // Adds to the sums of a line (line_fit.h), case i to partial i % 64 of each, in rising i.
  void (*add_to_line)(const f64* values, const f64* deviations, u32 rows, f64 origin,
                      LinePartials& sums);
  // The same with weights of the cases.
  void (*add_to_weighted_line)(const f64* values, const f64* deviations, const f64* weights,
                               u32 rows, f64 origin, LinePartials& sums);
  u64 (*sum)(const u64* numbers, u32 rows);
  // What the cells of these cases add to a hash of a column (score.h): the sum modulo 2^64 of each folded cell times
  // its case's key.
  u64 (*hash)(const u64* cells, const u64* keys, u32 rows);
  bool (*has_nan)(const f64* numbers, u32 rows);
  // partials[i % 64] += errors[i], in rising i.
  void (*add_partials)(const f64* errors, u32 rows, f64* partials);
  // The sum of a[i] * b[i]: row i goes into partial i % 16, in rising i, and these are halved.
  f64 (*product)(const f64* a, const f64* b, u32 rows);
  // The following give the results of the loops above for values of one cell, without columns in between.
  u64 (*count_different)(Scalar type, const u64* actual, const u64* expected, u32 rows);
  // There must be one.
  u32 (*first_different)(Scalar type, const u64* actual, const u64* expected);
  // The same with tolerances, as of mark_beyond.
  u64 (*count_beyond)(Scalar type, const u64* actual, const u64* expected, const f64* tolerances,
                      f64 floor, u32 rows);
  u32 (*first_beyond)(Scalar type, const u64* actual, const u64* expected, const f64* tolerances,
                      f64 floor);
  // False, and nothing added, if an error is a NaN.
  bool (*add_errors_to_partials)(Scalar type, const u64* actual, const u64* expected, u32 rows,
                                 ErrorKind kind, f64 measure, f64* partials);
};

// The last step of a sum (score.h).
[[nodiscard]] inline f64 sum_of_partials(std::span<const f64, 64> partials) {
  f64 sums[32];
  for (size_t i = 0; i < 32; ++i) sums[i] = partials[i] + partials[i + 32];
  for (size_t half = 16; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  return sums[0];
}

[[nodiscard]] const ScoreLoops& score_loops(SimdLevel level);

}  // namespace komuz::engine
