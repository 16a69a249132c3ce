// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid/exact_point.h"

#include <algorithm>

#include "engine/sketch/grid/natural.h"

namespace komuz::engine {

namespace {

// ± size. Zero has no sign.
struct Whole {
  bool is_negative = false;
  Natural size;
};

Whole sum(const Whole& a, const Whole& b) {
  Whole out = a.size >= b.size ? a : b;
  const Whole& other = a.size >= b.size ? b : a;
  if (a.is_negative == b.is_negative)
    out.size.add(other.size);
  else
    out.size.subtract(other.size);
  if (out.size.is_zero()) out.is_negative = false;
  return out;
}
Whole negated(Whole a) {
  a.is_negative = !a.is_negative;
  return a;
}

// Both ends in units of 10^exponent.
struct Ends {
  i32 exponent = 0;
  Whole low, high;
};

Ends ends_of(const LinearGrid& grid) {
  Ends out;
  const DecimalNumber &low = grid.low, &high = grid.high;
  out.exponent = low.digits == 0    ? high.exponent
                 : high.digits == 0 ? low.exponent
                                    : std::min(low.exponent, high.exponent);
  const auto scaled = [&](const DecimalNumber& end) {
    Whole whole{end.is_negative, Natural(end.digits)};
    if (end.digits != 0) whole.size.multiply_by_power_of_ten(end.exponent - out.exponent);
    return whole;
  };
  out.low = scaled(low);
  out.high = scaled(high);
  return out;
}

// Compares number / unit · 2^power with 1.
std::strong_ordering compare(Natural number, Natural unit, i32 power) {
  (power >= 0 ? number : unit).shift_left(std::abs(power));
  return number <=> unit;
}

// The largest n with 2^n ≤ number / unit.
i32 binade_of(const Natural& number, const Natural& unit) {
  const i32 power = number.bits() - unit.bits();
  return power - (compare(number, unit, -power) < 0);
}

}  // namespace

DecimalNumber exact_point(const LinearGrid& grid, u32 point) {
  Ends ends = ends_of(grid);
  Natural two_steps = sum(ends.high, negated(ends.low)).size;
  two_steps.shift_left(1);
  ends.low.size.multiply(grid.parts - point);
  ends.high.size.multiply(point);
  Whole value = sum(ends.low, ends.high);
  if (value.size.is_zero()) return {};

  // Everything is measured in parts of `unit`: the point, minus the digits taken so far, is rest / unit.
  Natural rest = std::move(value.size), unit(grid.parts);
  for (Natural* number : {&rest, &two_steps})
    number->multiply_by_power_of_ten(std::max(ends.exponent, 0));
  unit.multiply_by_power_of_ten(std::max(-ends.exponent, 0));
  const i32 binade = binade_of(rest, unit);
  const i32 two_places = float_range(grid.type).last_place(binade) + 1;
  Natural tolerance = unit;
  if (two_places >= 0) {
    tolerance.shift_left(two_places);
  } else {
    for (Natural* number : {&rest, &two_steps, &unit}) number->shift_left(-two_places);
  }

  // 10^exponent ≤ the point < 10^(exponent + 1)
  i32 exponent = decimal_exponent(binade);
  unit.multiply_by_power_of_ten(std::max(exponent, 0));
  for (Natural* number : {&rest, &two_steps, &tolerance})
    number->multiply_by_power_of_ten(std::max(-exponent, 0));
  Natural ten_units = unit;
  ten_units.multiply(10);
  if (rest >= ten_units) {
    unit = std::move(ten_units);
    ++exponent;
  }

  constexpr i32 kMostDigits = 19;
  DecimalNumber out{value.is_negative, 0, exponent};
  for (i32 digits = 1;; ++digits) {
    u64 digit = 0;
    for (; rest >= unit; ++digit) rest.subtract(unit);
    out.digits = out.digits * 10 + digit;
    Natural distance = rest, other = unit;
    other.subtract(rest);
    const bool is_next = other < rest || (other == rest && digit % 2 != 0);
    if (is_next) distance = std::move(other);
    // Ensures distance + unit in the last place / 2 < step / 2, so the float, too, is nearer to this point than to
    // others.
    Natural reach = distance;
    reach.shift_left(2);
    reach.add(tolerance);
    const bool is_near = distance <= tolerance && (distance.is_zero() || reach < two_steps);
    if (is_near || digits == kMostDigits) {
      out.digits += is_next;
      return out;
    }
    for (Natural* number : {&rest, &two_steps, &tolerance}) number->multiply(10);
    --out.exponent;
  }
}

bool is_dense(const LinearGrid& grid) {
  const Ends ends = ends_of(grid);
  Natural step = sum(ends.high, negated(ends.low)).size;
  Natural largest = std::max(ends.low.size, ends.high.size);
  if (largest.is_zero()) return true;
  Natural one(1), parts(grid.parts);
  for (Natural* number : {&step, &largest})
    number->multiply_by_power_of_ten(std::max(ends.exponent, 0));
  for (Natural* number : {&one, &parts})
    number->multiply_by_power_of_ten(std::max(-ends.exponent, 0));
  // If half a step is at least twice as long as two units, it excludes no decimals.
  const i32 place = float_range(grid.type).last_place(binade_of(largest, one));
  return compare(std::move(step), std::move(parts), -(place + 3)) < 0;
}

}  // namespace komuz::engine
