// SPDX-License-Identifier: Apache-2.0
// Scores one actual and one expected cell (score.h). The loops of every instruction set and the warps of a device are
// compiled from this code, and all give the same bits.
#pragma once
#include "engine/scores/losses.h"
#include "engine/scores/score_kinds.h"
#include "lang/ops/lanes.h"
#include "lang/types.h"

namespace komuz::engine {

inline namespace KOMUZ_ISA_NAMESPACE {

// The number, equality, order and distance of cells of a class of scalar types.
struct SignedCell {
  HD static f64 number(u64 cell) { return static_cast<f64>(static_cast<i64>(cell)); }
  HD static bool equal(u64 a, u64 b) { return a == b; }
  HD static bool less(u64 a, u64 b) { return static_cast<i64>(a) < static_cast<i64>(b); }
  // The difference of two 64-bit integers is exact modulo 2^64, and its sign follows from their order.
  HD static f64 distance(u64 a, u64 b) {
    return static_cast<f64>(static_cast<i64>(a) < static_cast<i64>(b) ? b - a : a - b);
  }
};
struct UnsignedCell {
  HD static f64 number(u64 cell) { return static_cast<f64>(cell); }
  HD static bool equal(u64 a, u64 b) { return a == b; }
  HD static bool less(u64 a, u64 b) { return a < b; }
  HD static f64 distance(u64 a, u64 b) { return static_cast<f64>(a < b ? b - a : a - b); }
};
// Canonical cells of NaNs are equal, so that, except for the two zeros, equal numbers have equal bits. The distance
// of equal infinities or NaNs is 0, too.
struct Float64Cell {
  HD static f64 number(u64 cell) { return __builtin_bit_cast(f64, cell); }
  HD static bool equal(u64 a, u64 b) { return (a == b) | (((a | b) << 1) == 0); }
  HD static bool less(u64 a, u64 b) { return number(a) < number(b); }
  HD static f64 distance(u64 a, u64 b) {
    return a == b ? 0.0 : __builtin_fabs(number(a) - number(b));
  }
};
struct Float32Cell {
  HD static f64 number(u64 cell) {
    return static_cast<f64>(__builtin_bit_cast(f32, static_cast<u32>(cell)));
  }
  HD static bool equal(u64 a, u64 b) { return (a == b) | (((a | b) << 33) == 0); }
  HD static bool less(u64 a, u64 b) { return number(a) < number(b); }
  HD static f64 distance(u64 a, u64 b) {
    return a == b ? 0.0 : __builtin_fabs(number(a) - number(b));
  }
};

// Calls visit.operator()<Cell>() for the class of the type.
template <class Visit>
HD void with_cell(Scalar type, Visit visit) {
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

inline constexpr f64 kLargestFinite = 0x1.FFFFFFFFFFFFFp1023;
inline constexpr f64 kRelativeFloor = 0x1p-52;  // relative to the size of the expected numbers

// The exponent of a finite number above 0: rounded down, and limited so that the power's inverse can be squared with
// room to spare.
HD i32 exponent_of(f64 number) {
  constexpr i32 kMost = 1000;
  const i32 exponent = static_cast<i32>(__builtin_bit_cast(u64, number) >> 52) - 1023;
  return exponent > kMost ? kMost : exponent < -kMost ? -kMost : exponent;
}
HD f64 power_of_two(i32 exponent) {
  return __builtin_bit_cast(f64, static_cast<u64>(exponent + 1023) << 52);
}

// `floor`: replaces numbers that are nearer to 0.
template <class Cell>
HD bool is_near(u64 actual, u64 expected, f64 tolerance, f64 floor) {
  const f64 a = __builtin_fabs(Cell::number(actual));
  const f64 b = __builtin_fabs(Cell::number(expected));
  const f64 larger = a > b ? a : b;
  const f64 scale = larger > floor ? larger : floor;
  const bool finite = (a <= kLargestFinite) & (b <= kLargestFinite);
  const bool near = Cell::distance(actual, expected) <= tolerance * scale;
  // A tolerance of 0 demands equality, which a rounded distance of large integers could fake.
  const bool tolerated = finite & near & (tolerance > 0.0);
  return Cell::equal(actual, expected) | tolerated;
}

// How far a value is on the side of its class: the second one expects a number above 0.
template <class Cell>
HD f64 margin_of(u64 actual, u64 expected) {
  const f64 value = Cell::number(actual);
  return Cell::number(expected) > 0 ? value : -value;
}
// Errors that are a long function of one number: loops take many of these at once (score_loops_body.h).
template <ErrorKind kind>
inline constexpr bool kIsLongError = kind == ErrorKind::LogCosh || kind == ErrorKind::Logistic;
template <class Cell, ErrorKind kind>
HD f64 long_error_argument(u64 actual, u64 expected, f64 measure) {
  if constexpr (kind == ErrorKind::LogCosh)
    return Cell::distance(actual, expected) / measure;
  else
    return margin_of<Cell>(actual, expected);
}
template <ErrorKind kind, class V>
HD V long_error(V argument, f64 measure) {
  if constexpr (kind == ErrorKind::LogCosh)
    return splat<V>(measure) * (splat<V>(measure) * log_cosh_lanes(argument));
  else
    return logistic_loss_lanes(argument);
}

// `measure`: ScoreMeasure of the error, for scaled squares the factor of distances.
template <class Cell, ErrorKind kind>
HD f64 error_of(u64 actual, u64 expected, f64 measure) {
  if constexpr (kIsLongError<kind>)
    return long_error<kind>(long_error_argument<Cell, kind>(actual, expected, measure), measure);
  if constexpr (kind == ErrorKind::Hinge) return hinge_loss(margin_of<Cell>(actual, expected));
  const f64 distance = Cell::distance(actual, expected);
  if constexpr (kind == ErrorKind::Huber) return huber_loss(distance, measure);
  if constexpr (kind == ErrorKind::Quantile)
    return (Cell::less(actual, expected) ? measure : 1 - measure) * distance;
  if constexpr (kind == ErrorKind::Squared) return distance * distance;
  if constexpr (kind == ErrorKind::Absolute) return distance;
  if constexpr (kind == ErrorKind::ScaledSquared) {
    const f64 scaled = distance * measure;
    return scaled * scaled;
  }
  if constexpr (kind == ErrorKind::Symmetric) {
    const f64 a = __builtin_fabs(Cell::number(actual)), b = __builtin_fabs(Cell::number(expected));
    // The sum of two large numbers may overflow; half of it does not.
    const f64 scale = a + b <= kLargestFinite ? 1.0 : 0.5;
    const f64 share = distance * scale / (a * scale + b * scale);
    // An infinite distance is one to an infinity, or between large numbers of different signs. Distances of 64-bit
    // integers are rounded once and their sizes twice, so a share may be a little above 1.
    const bool is_whole = (distance > kLargestFinite) | (share > 1.0);
    return distance == 0.0 ? 0.0 : is_whole ? 2.0 : 2.0 * share;
  }
  // The divisor is finite and no NaN, so the error is infinite or a NaN exactly if the distance is. Only a floor of 0
  // makes the divisor 0.
  const f64 size = __builtin_fabs(Cell::number(expected));
  const f64 least = size > measure ? size : measure;
  return distance == 0.0 ? 0.0 : distance / (least < kLargestFinite ? least : kLargestFinite);
}

// Calls visit.operator()<kind>().
template <class Visit>
HD void with_error(ErrorKind kind, Visit visit) {
  switch (kind) {
    case ErrorKind::Absolute: return visit.template operator()<ErrorKind::Absolute>();
    case ErrorKind::Squared: return visit.template operator()<ErrorKind::Squared>();
    case ErrorKind::Relative: return visit.template operator()<ErrorKind::Relative>();
    case ErrorKind::Symmetric: return visit.template operator()<ErrorKind::Symmetric>();
    case ErrorKind::Huber: return visit.template operator()<ErrorKind::Huber>();
    case ErrorKind::LogCosh: return visit.template operator()<ErrorKind::LogCosh>();
    case ErrorKind::Quantile: return visit.template operator()<ErrorKind::Quantile>();
    case ErrorKind::Logistic: return visit.template operator()<ErrorKind::Logistic>();
    case ErrorKind::Hinge: return visit.template operator()<ErrorKind::Hinge>();
    case ErrorKind::ScaledSquared: return visit.template operator()<ErrorKind::ScaledSquared>();
  }
}

// The form of a cell in a hash. High bits are folded down: floats often differ only in them, and a product would move
// them only into its own high bits.
HD u64 folded(u64 cell) {
  cell ^= cell >> 32;
  return cell ^ cell >> 16;
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::engine
