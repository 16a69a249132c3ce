// SPDX-License-Identifier: Apache-2.0
// The bodies of score_loops.h. Included by one source for each instruction set, each of which compiles everything here
// for itself: nothing of this may be shared between objects, so no function of the standard library is called.
#pragma once
#include "engine/score_loops.h"

// NOLINTBEGIN(misc-definitions-in-headers): each source is to have its own.
namespace komuz::engine {
namespace {

// Equal and distance of the cells of a class of scalar types.
struct SignedCell {
  static f64 number(u64 cell) { return static_cast<f64>(static_cast<i64>(cell)); }
  static bool equal(u64 a, u64 b) { return a == b; }
  // The difference of two 64-bit integers is exact modulo 2^64, and its sign is that of their order.
  static f64 distance(u64 a, u64 b) {
    return static_cast<f64>(static_cast<i64>(a) < static_cast<i64>(b) ? b - a : a - b);
  }
};
struct UnsignedCell {
  static f64 number(u64 cell) { return static_cast<f64>(cell); }
  static bool equal(u64 a, u64 b) { return a == b; }
  static f64 distance(u64 a, u64 b) { return static_cast<f64>(a < b ? b - a : a - b); }
};
// Canonical cells of a NaN are equal, so that but for the two zeros equal numbers are equal bits. Of infinities and NaNs
// that are equal the distance is 0, too.
struct Float64Cell {
  static f64 number(u64 cell) { return __builtin_bit_cast(f64, cell); }
  static bool equal(u64 a, u64 b) { return (a == b) | (((a | b) << 1) == 0); }
  static f64 distance(u64 a, u64 b) { return a == b ? 0.0 : __builtin_fabs(number(a) - number(b)); }
};
struct Float32Cell {
  static f64 number(u64 cell) {
    return static_cast<f64>(__builtin_bit_cast(f32, static_cast<u32>(cell)));
  }
  static bool equal(u64 a, u64 b) { return (a == b) | (((a | b) << 33) == 0); }
  static f64 distance(u64 a, u64 b) { return a == b ? 0.0 : __builtin_fabs(number(a) - number(b)); }
};

// Calls visit.operator()<Cell>() for the class of the type.
template <class Visit>
inline __attribute__((always_inline)) void with_cell(Scalar type, Visit visit) {
  switch (type) {
    case Scalar::None: return;
    case Scalar::I32:
    case Scalar::I64: return visit.template operator()<SignedCell>();
    case Scalar::Bool:
    case Scalar::U8:
    case Scalar::U32:
    case Scalar::U64: return visit.template operator()<UnsignedCell>();
    case Scalar::F32: return visit.template operator()<Float32Cell>();
    case Scalar::F64: return visit.template operator()<Float64Cell>();
  }
}

void mark_different(Scalar type, const u64* __restrict actual, const u64* __restrict expected,
                    u32 rows, u64* __restrict failed) {
  with_cell(type, [=]<class Cell>() {
    for (u32 i = 0; i < rows; ++i)
      failed[i] |= Cell::equal(actual[i], expected[i]) ? u64{0} : u64{1};
  });
}

void mark_beyond(Scalar type, const u64* __restrict actual, const u64* __restrict expected,
                 const f64* __restrict tolerances, u32 rows, u64* __restrict failed) {
  with_cell(type, [=]<class Cell>() {
    constexpr f64 kLargest = 0x1.FFFFFFFFFFFFFp1023;
    for (u32 i = 0; i < rows; ++i) {
      const f64 a = __builtin_fabs(Cell::number(actual[i]));
      const f64 b = __builtin_fabs(Cell::number(expected[i]));
      const f64 larger = a > b ? a : b;
      const f64 scale = larger > 1.0 ? larger : 1.0;
      const bool finite = (a <= kLargest) & (b <= kLargest);
      const bool near = Cell::distance(actual[i], expected[i]) <= tolerances[i] * scale;
      // A tolerance of 0 asks for equality, which a rounded distance of large integers could feign.
      const bool tolerated = finite & near & (tolerances[i] > 0.0);
      failed[i] |= (Cell::equal(actual[i], expected[i]) | tolerated) ? u64{0} : u64{1};
    }
  });
}

template <class Cell, ErrorKind kind>
inline __attribute__((always_inline)) f64 error_of(u64 actual, u64 expected) {
  const f64 distance = Cell::distance(actual, expected);
  if constexpr (kind == ErrorKind::Squared) return distance * distance;
  if constexpr (kind == ErrorKind::Absolute) return distance;
  // The divisor is finite and no NaN, so that the error is infinite or a NaN where the distance is.
  constexpr f64 kLeast = 0x1p-52, kLargest = 0x1.FFFFFFFFFFFFFp1023;
  const f64 size = __builtin_fabs(Cell::number(expected));
  const f64 least = size > kLeast ? size : kLeast;
  return distance / (least < kLargest ? least : kLargest);
}

// Calls visit.operator()<kind>().
template <class Visit>
inline __attribute__((always_inline)) void with_error(ErrorKind kind, Visit visit) {
  switch (kind) {
    case ErrorKind::Absolute: return visit.template operator()<ErrorKind::Absolute>();
    case ErrorKind::Squared: return visit.template operator()<ErrorKind::Squared>();
    case ErrorKind::Relative: return visit.template operator()<ErrorKind::Relative>();
  }
}

void add_errors(Scalar type, const u64* __restrict actual, const u64* __restrict expected, u32 rows,
                ErrorKind kind, f64* __restrict errors) {
  with_cell(type, [=]<class Cell>() {
    with_error(kind, [=]<ErrorKind k>() {
      for (u32 i = 0; i < rows; ++i) errors[i] += error_of<Cell, k>(actual[i], expected[i]);
    });
  });
}

u64 sum(const u64* numbers, u32 rows) {
  u64 total = 0;
  for (u32 i = 0; i < rows; ++i) total += numbers[i];
  return total;
}

// High bits are folded down: floats often differ in them alone, and a product has them in its high bits only.
u64 hash(const u64* __restrict cells, const u64* __restrict keys, u32 rows) {
  u64 total = 0;
  for (u32 i = 0; i < rows; ++i) {
    u64 cell = cells[i] ^ (cells[i] >> 32);
    cell ^= cell >> 16;
    total += cell * keys[i];
  }
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

u64 count_different(Scalar type, const u64* __restrict actual, const u64* __restrict expected,
                    u32 rows) {
  u64 count = 0;
  with_cell(type, [=, &count]<class Cell>() {
    for (u32 i = 0; i < rows; ++i) count += Cell::equal(actual[i], expected[i]) ? u64{0} : u64{1};
  });
  return count;
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
                                                         f64* __restrict sums) {
  for (; rows >= 64; rows -= 64, actual += 64, expected += 64)
    for (u32 j = 0; j < 64; ++j) sums[j] += error_of<Cell, kind>(actual[j], expected[j]);
  for (u32 j = 0; j < rows; ++j) sums[j] += error_of<Cell, kind>(actual[j], expected[j]);
}

// Errors are not negative, so a sum becomes a NaN where one of them is, and nowhere else.
bool add_errors_to_partials(Scalar type, const u64* actual, const u64* expected, u32 rows,
                            ErrorKind kind, f64* partials) {
  f64 sums[64];
  for (u32 j = 0; j < 64; ++j) sums[j] = partials[j];
  with_cell(type, [=, &sums]<class Cell>() {
    with_error(kind,
               [=, &sums]<ErrorKind k>() { add_errors_of<Cell, k>(actual, expected, rows, sums); });
  });
  if (has_nan(sums, 64)) return false;
  for (u32 j = 0; j < 64; ++j) partials[j] = sums[j];
  return true;
}

constexpr ScoreLoops kScoreLoops = {.mark_different = mark_different,
                                    .mark_beyond = mark_beyond,
                                    .add_errors = add_errors,
                                    .sum = sum,
                                    .hash = hash,
                                    .has_nan = has_nan,
                                    .add_partials = add_partials,
                                    .count_different = count_different,
                                    .first_different = first_different,
                                    .add_errors_to_partials = add_errors_to_partials};

}  // namespace
}  // namespace komuz::engine
// NOLINTEND(misc-definitions-in-headers)
