// SPDX-License-Identifier: Apache-2.0
// The bodies of score_loops.h. A source for each instruction set includes them, and compiles everything here for
// itself. Objects may share nothing of this, so no function of the standard library is called.
#pragma once
#include "engine/scores/score_cells.h"
#include "engine/scores/score_loops.h"

// NOLINTBEGIN(misc-definitions-in-headers): each source is to have its own.
namespace komuz::engine {
namespace {

void mark_different(Scalar type, const u64* __restrict actual, const u64* __restrict expected,
                    u32 rows, u64* __restrict failed) {
  with_cell(type, [=]<class Cell>() {
    for (u32 i = 0; i < rows; ++i)
      failed[i] |= Cell::equal(actual[i], expected[i]) ? u64{0} : u64{1};
  });
}

void mark_beyond(Scalar type, const u64* __restrict actual, const u64* __restrict expected,
                 const f64* __restrict tolerances, f64 floor, u32 rows, u64* __restrict failed) {
  with_cell(type, [=]<class Cell>() {
    for (u32 i = 0; i < rows; ++i)
      failed[i] |= is_near<Cell>(actual[i], expected[i], tolerances[i], floor) ? u64{0} : u64{1};
  });
}

// Errors of so many cases at once, or of fewer.
constexpr u32 kLongErrors = 64;
template <class Cell, ErrorKind kind>
inline __attribute__((always_inline)) void long_errors(const u64* __restrict actual,
                                                       const u64* __restrict expected, u32 rows,
                                                       f64 measure, f64 (&errors)[kLongErrors]) {
  using V = Vector<f64, kRegisterBytes>;
  constexpr u32 kLanes = lane_count<V>;
  for (u32 i = 0; i < kLongErrors; ++i) errors[i] = 0;
  for (u32 i = 0; i < rows; ++i)
    errors[i] = long_error_argument<Cell, kind>(actual[i], expected[i], measure);
  for (u32 i = 0; i < rows; i += kLanes) {
    V lanes;
    for (u32 j = 0; j < kLanes; ++j) lanes[j] = errors[i + j];
    lanes = long_error<kind>(lanes, measure);
    for (u32 j = 0; j < kLanes; ++j) errors[i + j] = lanes[j];
  }
}

void add_errors(Scalar type, const u64* __restrict actual, const u64* __restrict expected, u32 rows,
                ErrorKind kind, f64 measure, f64* __restrict errors) {
  with_cell(type, [=]<class Cell>() {
    with_error(kind, [=]<ErrorKind k>() {
      if constexpr (kIsLongError<k>) {
        f64 some[kLongErrors];
        for (u32 i = 0; i < rows; i += kLongErrors) {
          const u32 count = rows - i < kLongErrors ? rows - i : kLongErrors;
          long_errors<Cell, k>(actual + i, expected + i, count, measure, some);
          for (u32 j = 0; j < count; ++j) errors[i + j] += some[j];
        }
      } else {
        for (u32 i = 0; i < rows; ++i)
          errors[i] += error_of<Cell, k>(actual[i], expected[i], measure);
      }
    });
  });
}

void weigh(const f64* __restrict weights, u32 rows, f64* __restrict errors) {
  for (u32 i = 0; i < rows; ++i) errors[i] = weights[i] == 0 ? 0.0 : errors[i] * weights[i];
}

void to_numbers(Scalar type, const u64* __restrict cells, u32 rows, f64* __restrict numbers) {
  with_cell(type, [=]<class Cell>() {
    for (u32 i = 0; i < rows; ++i) numbers[i] = Cell::number(cells[i]);
  });
}

inline __attribute__((always_inline)) void add_case_to_line(f64 value, f64 deviation, f64 origin,
                                                            u32 at, LinePartials& sums) {
  const bool counts = value == value;
  const f64 way = counts ? value - origin : 0.0;
  sums.counts[at] += counts ? 1.0 : 0.0;
  sums.values[at] += way;
  sums.squares[at] += way * way;
  sums.with_expected[at] += way * deviation;
}
// The same for the partials from `at` on, and every 64th case: their sums stay in registers.
template <class V>
inline __attribute__((always_inline)) void add_lanes_to_line(const f64* __restrict values,
                                                             const f64* __restrict deviations,
                                                             u32 rows, f64 origin, u32 at,
                                                             LinePartials& sums) {
  const auto load = [](const f64* from) {
    V lanes;
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return lanes;
  };
  const auto store = [](f64* to, V lanes) { __builtin_memcpy(to, &lanes, sizeof lanes); };
  const V zero = splat<V>(0.0), one = splat<V>(1.0);
  V counts = load(sums.counts + at), total = load(sums.values + at);
  V squares = load(sums.squares + at), with_expected = load(sums.with_expected + at);
  for (u32 i = at; i < rows; i += 64) {
    const V value = load(values + i);
    const Mask<V> counted = value == value;
    const V way = select<V>(counted, value - splat<V>(origin), zero);
    counts += select<V>(counted, one, zero);
    total += way;
    squares += way * way;
    with_expected += way * load(deviations + i);
  }
  store(sums.counts + at, counts);
  store(sums.values + at, total);
  store(sums.squares + at, squares);
  store(sums.with_expected + at, with_expected);
}
void add_to_line(const f64* __restrict values, const f64* __restrict deviations, u32 rows,
                 f64 origin, LinePartials& __restrict sums) {
  using V = Vector<f64, kRegisterBytes>;
  const u32 whole = rows / 64 * 64;
  for (u32 at = 0; at < 64 && whole != 0; at += lane_count<V>)
    add_lanes_to_line<V>(values, deviations, whole, origin, at, sums);
  for (u32 j = 0; whole + j < rows; ++j)
    add_case_to_line(values[whole + j], deviations[whole + j], origin, j, sums);
}

inline __attribute__((always_inline)) void add_case_to_weighted_line(f64 value, f64 deviation,
                                                                     f64 weight, f64 origin, u32 at,
                                                                     LinePartials& sums) {
  const bool counts = (value == value) & (weight != 0);
  const f64 way = counts ? value - origin : 0.0, weighted = weight * way;
  sums.counts[at] += counts ? weight : 0.0;
  sums.values[at] += weighted;
  sums.squares[at] += weighted * way;
  sums.with_expected[at] += weighted * deviation;
}
void add_to_weighted_line(const f64* __restrict values, const f64* __restrict deviations,
                          const f64* __restrict weights, u32 rows, f64 origin,
                          LinePartials& __restrict sums) {
  u32 i = 0;
  for (; i + 64 <= rows; i += 64)
    for (u32 j = 0; j < 64; ++j)
      add_case_to_weighted_line(values[i + j], deviations[i + j], weights[i + j], origin, j, sums);
  for (u32 j = 0; i + j < rows; ++j)
    add_case_to_weighted_line(values[i + j], deviations[i + j], weights[i + j], origin, j, sums);
}

u64 sum(const u64* numbers, u32 rows) {
  u64 total = 0;
  for (u32 i = 0; i < rows; ++i) total += numbers[i];
  return total;
}

u64 hash(const u64* __restrict cells, const u64* __restrict keys, u32 rows) {
  u64 total = 0;
  for (u32 i = 0; i < rows; ++i) total += folded(cells[i]) * keys[i];
  return total;
}

bool has_nan(const f64* numbers, u32 rows) {
  u64 found = 0;
  for (u32 i = 0; i < rows; ++i) found |= numbers[i] != numbers[i] ? u64{1} : u64{0};
  return found != 0;
}

void add_partials(const f64* __restrict errors, u32 rows, f64* __restrict partials) {
  u32 i = 0;
  for (; i + 64 <= rows; i += 64)
    for (u32 j = 0; j < 64; ++j) partials[j] += errors[i + j];
  for (u32 j = 0; i + j < rows; ++j) partials[j] += errors[i + j];
}

f64 product(const f64* __restrict a, const f64* __restrict b, u32 rows) {
  constexpr u32 kPartials = 16;
  f64 partials[kPartials] = {};
  u32 i = 0;
  for (; i + kPartials <= rows; i += kPartials)
    for (u32 j = 0; j < kPartials; ++j) partials[j] += a[i + j] * b[i + j];
  for (u32 j = 0; i + j < rows; ++j) partials[j] += a[i + j] * b[i + j];
  for (u32 half = kPartials / 2; half > 0; half /= 2)
    for (u32 j = 0; j < half; ++j) partials[j] += partials[j + half];
  return partials[0];
}

u64 count_different(Scalar type, const u64* __restrict actual, const u64* __restrict expected,
                    u32 rows) {
  u64 count = 0;
  with_cell(type, [=, &count]<class Cell>() {
    for (u32 i = 0; i < rows; ++i) count += Cell::equal(actual[i], expected[i]) ? u64{0} : u64{1};
  });
  return count;
}

u64 count_beyond(Scalar type, const u64* __restrict actual, const u64* __restrict expected,
                 const f64* __restrict tolerances, f64 floor, u32 rows) {
  u64 count = 0;
  with_cell(type, [=, &count]<class Cell>() {
    for (u32 i = 0; i < rows; ++i)
      count += is_near<Cell>(actual[i], expected[i], tolerances[i], floor) ? u64{0} : u64{1};
  });
  return count;
}

u32 first_beyond(Scalar type, const u64* actual, const u64* expected, const f64* tolerances,
                 f64 floor) {
  u32 i = 0;
  with_cell(type, [=, &i]<class Cell>() {
    while (is_near<Cell>(actual[i], expected[i], tolerances[i], floor)) ++i;
  });
  return i;
}

u32 first_different(Scalar type, const u64* actual, const u64* expected) {
  u32 i = 0;
  with_cell(type, [=, &i]<class Cell>() {
    while (Cell::equal(actual[i], expected[i])) ++i;
  });
  return i;
}

template <class Cell, ErrorKind kind>
inline __attribute__((always_inline)) void add_errors_of(const u64* __restrict actual,
                                                         const u64* __restrict expected, u32 rows,
                                                         f64 measure, f64* __restrict sums) {
  if constexpr (kIsLongError<kind>) {
    f64 some[kLongErrors];
    for (u32 i = 0; i < rows; i += kLongErrors) {
      const u32 count = rows - i < kLongErrors ? rows - i : kLongErrors;
      long_errors<Cell, kind>(actual + i, expected + i, count, measure, some);
      for (u32 j = 0; j < count; ++j) sums[j] += some[j];
    }
    return;
  }
  for (; rows >= 64; rows -= 64, actual += 64, expected += 64)
    for (u32 j = 0; j < 64; ++j) sums[j] += error_of<Cell, kind>(actual[j], expected[j], measure);
  for (u32 j = 0; j < rows; ++j) sums[j] += error_of<Cell, kind>(actual[j], expected[j], measure);
}

// Errors are not negative, so the sum is a NaN exactly if one of them is.
bool add_errors_to_partials(Scalar type, const u64* actual, const u64* expected, u32 rows,
                            ErrorKind kind, f64 measure, f64* partials) {
  f64 sums[64];
  for (u32 j = 0; j < 64; ++j) sums[j] = partials[j];
  with_cell(type, [=, &sums]<class Cell>() {
    with_error(kind, [=, &sums]<ErrorKind k>() {
      add_errors_of<Cell, k>(actual, expected, rows, measure, sums);
    });
  });
  if (has_nan(sums, 64)) return false;
  for (u32 j = 0; j < 64; ++j) partials[j] = sums[j];
  return true;
}

constexpr ScoreLoops kScoreLoops = {.mark_different = mark_different,
                                    .mark_beyond = mark_beyond,
                                    .add_errors = add_errors,
                                    .weigh = weigh,
                                    .to_numbers = to_numbers,
                                    .add_to_line = add_to_line,
                                    .add_to_weighted_line = add_to_weighted_line,
                                    .sum = sum,
                                    .hash = hash,
                                    .has_nan = has_nan,
                                    .add_partials = add_partials,
                                    .product = product,
                                    .count_different = count_different,
                                    .first_different = first_different,
                                    .count_beyond = count_beyond,
                                    .first_beyond = first_beyond,
                                    .add_errors_to_partials = add_errors_to_partials};

}  // namespace
}  // namespace komuz::engine
// NOLINTEND(misc-definitions-in-headers)
