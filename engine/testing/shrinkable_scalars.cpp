// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/shrinkable_scalars.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "lang/cases.h"

namespace komuz::engine {
namespace {

// Integers as unsigned numbers in the same order.
constexpr u64 kSignBit = 1ull << 63;
u64 key_of(Scalar type, u64 cell) { return is_signed(type) ? cell ^ kSignBit : cell; }
u64 cell_of_key(Scalar type, u64 key) { return is_signed(type) ? key ^ kSignBit : key; }

f64 float_of(Scalar type, u64 cell) {
  return type == Scalar::F32 ? static_cast<f64>(std::bit_cast<f32>(static_cast<u32>(cell)))
                             : std::bit_cast<f64>(cell);
}
u64 cell_of_float(Scalar type, f64 value) {
  if (value != value) return type == Scalar::F32 ? kCanonicalNan32 : kCanonicalNan64;
  return type == Scalar::F32 ? std::bit_cast<u32>(static_cast<f32>(value))
                             : std::bit_cast<u64>(value);
}

// How far the domain reaches on either side of its simplest integer.
struct Reach {
  u64 origin, up, down;  // a key; distances
  [[nodiscard]] u64 both() const { return std::min(up, down); }
};
Reach reach_of(const Domain& d) {
  const u64 least = key_of(d.type, d.least), most = key_of(d.type, d.most);
  const u64 origin = std::clamp(key_of(d.type, 0), least, most);
  return {origin, most - origin, origin - least};
}
u64 integer_number(const Domain& d, u64 cell) {
  const Reach reach = reach_of(d);
  const u64 key = key_of(d.type, cell);
  const bool is_up = key > reach.origin;
  const u64 distance = is_up ? key - reach.origin : reach.origin - key;
  if (distance <= reach.both()) return distance == 0 ? 0 : 2 * distance - is_up;
  return reach.both() + distance;
}
u64 integer_cell(const Domain& d, u64 number) {
  const Reach reach = reach_of(d);
  const u64 half = number / 2 + number % 2;
  if (half <= reach.both())
    return cell_of_key(d.type, number % 2 != 0 ? reach.origin + half : reach.origin - half);
  const u64 distance = std::min(number - reach.both(), std::max(reach.up, reach.down));
  return cell_of_key(d.type,
                     reach.up > reach.down ? reach.origin + distance : reach.origin - distance);
}

constexpr u64 kFraction = 1ull << 63, kMantissaBits = 52, kMantissa = (1ull << kMantissaBits) - 1;
constexpr u64 kOne = 1023, kSpecial = 2047;  // exponents
constexpr f64 kExact = 9007199254740992.0;   // 2^53

u64 reversed_mantissa(u64 bits) {
  u64 out = 0;
  for (u32 k = 0; k < kMantissaBits; ++k) out |= (bits >> k & 1) << (kMantissaBits - 1 - k);
  return out;
}
// Exponents of numbers from 1 on come first, then ever smaller ones, the special one last.
u64 exponent_rank(u64 exponent) {
  if (exponent == kSpecial) return kSpecial;
  return exponent >= kOne ? exponent - kOne : kSpecial - 1 - exponent;
}
u64 magnitude_number(f64 magnitude) {
  if (magnitude < kExact && magnitude == std::trunc(magnitude)) return static_cast<u64>(magnitude);
  const u64 bits = std::bit_cast<u64>(magnitude);
  return kFraction | exponent_rank(bits >> kMantissaBits) << kMantissaBits |
         reversed_mantissa(bits & kMantissa);
}
f64 magnitude_of(u64 number) {
  if ((number & kFraction) == 0)
    return static_cast<f64>(std::min(number, static_cast<u64>(kExact)));
  const u64 rank = number >> kMantissaBits & kSpecial;
  const u64 exponent = rank == kSpecial         ? kSpecial
                       : rank < kSpecial - kOne ? rank + kOne
                                                : kSpecial - 1 - rank;
  return std::bit_cast<f64>(exponent << kMantissaBits | reversed_mantissa(number & kMantissa));
}

bool is_in(const Domain& d, u64 cell) {
  if (!is_float(d.type)) {
    const u64 key = key_of(d.type, cell);
    return key >= key_of(d.type, d.least) && key <= key_of(d.type, d.most);
  }
  const f64 value = float_of(d.type, cell);
  if (value != value) return d.has_nan;
  return value >= float_of(d.type, d.least) && value <= float_of(d.type, d.most);
}

// The next float, in the direction of `towards`.
u64 neighbour(Scalar type, u64 cell, f64 towards) {
  if (type == Scalar::F64)
    return std::bit_cast<u64>(std::nextafter(std::bit_cast<f64>(cell), towards));
  return std::bit_cast<u32>(
      std::nextafterf(std::bit_cast<f32>(static_cast<u32>(cell)), static_cast<f32>(towards)));
}

template <class Float>
void append_float_edges(Scalar type, std::vector<u64>& cells) {
  using Limits = std::numeric_limits<Float>;
  for (const Float x : {Float(0), Float(1), Limits::max(), Limits::infinity(), Limits::min(),
                        Limits::denorm_min(), Float(0.5), Limits::epsilon()})
    for (const Float value : {x, -x}) cells.push_back(cell_of_float(type, static_cast<f64>(value)));
  cells.push_back(cell_of_float(type, Limits::quiet_NaN()));
}

// Uniform among the numbers of a random length in bits.
u64 random_bits(u64 random, u64 more) { return random >> (more & 63); }

// Uniform between the ends, unless they are too far apart for that.
f64 uniform_float(const Domain& d, u64 random) {
  const f64 least = float_of(d.type, d.least), most = float_of(d.type, d.most);
  const f64 unit = static_cast<f64>(random >> 11) * 0x1p-53, inside = least + unit * (most - least);
  return std::isfinite(inside) ? inside : unit;
}

f64 random_float(const Domain& d, u64 random, u64 more) {
  const f64 unit = static_cast<f64>(random >> 11) * 0x1p-53;
  const f64 sign = (more & 1) != 0 ? -1.0 : 1.0;
  switch (more >> 1 & 3) {
    case 0: return sign * static_cast<f64>(random_bits(random, more >> 3) & 0xFFFF);
    case 1: return sign * std::ldexp(1.0 + unit, static_cast<i32>(more >> 3 & 63) - 32);
    case 2: return uniform_float(d, random);
    default: break;
  }
  if (d.type == Scalar::F64) return std::bit_cast<f64>(random);
  return static_cast<f64>(std::bit_cast<f32>(static_cast<u32>(random)));
}

}  // namespace

Domain whole_domain(Scalar type) {
  if (is_float(type)) {
    constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
    return {type, cell_of_float(type, -kInfinity), cell_of_float(type, kInfinity), true};
  }
  if (type == Scalar::Bool) return {type, 0, 1};
  const u32 bits = scalar_bits(type);
  if (!is_signed(type)) return {type, 0, ~0ull >> (64 - bits)};
  const u64 most = (1ull << (bits - 1)) - 1;
  return {type, ~most, most};
}

Domain range_domain(Scalar type, u64 first, u64 last, bool has_last) {
  if (has_last) return {type, first, last};
  constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
  return {type, first, is_float(type) ? neighbour(type, last, -kInfinity) : last - 1};
}

Choice choice_of(const Domain& domain, u64 cell) {
  if (!is_float(domain.type)) return {integer_number(domain, cell), false};
  const f64 value = float_of(domain.type, cell);
  return {magnitude_number(std::fabs(value)), value == value && std::signbit(value)};
}

u64 cell_of(const Domain& domain, Choice choice) {
  if (!is_float(domain.type)) return integer_cell(domain, choice.number);
  const f64 magnitude = magnitude_of(choice.number);
  if (magnitude != magnitude && domain.has_nan) return cell_of_float(domain.type, magnitude);
  const u64 cell = cell_of_float(domain.type, choice.is_negative ? -magnitude : magnitude);
  const f64 value = float_of(domain.type, cell);
  if (is_in(domain, cell)) return cell;
  return value < float_of(domain.type, domain.least) ? domain.least : domain.most;
}

std::vector<u64> edge_cells(const Domain& domain) {
  std::vector<u64> cells;
  const Scalar type = domain.type;
  if (is_float(type)) {
    constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
    for (const u64 cell : {domain.least, domain.most, neighbour(type, domain.least, kInfinity),
                           neighbour(type, domain.most, -kInfinity)})
      cells.push_back(cell);
    if (type == Scalar::F32)
      append_float_edges<f32>(type, cells);
    else
      append_float_edges<f64>(type, cells);
  } else {
    cells = {0, 1, ~0ull, 2, domain.least, domain.most, domain.least + 1, domain.most - 1};
  }
  std::erase_if(cells, [&](u64 cell) { return !is_in(domain, cell); });
  const auto simpler = [&](u64 a, u64 b) {
    const Choice left = choice_of(domain, a), right = choice_of(domain, b);
    return left.number != right.number ? left.number < right.number
                                       : left.is_negative < right.is_negative;
  };
  std::ranges::sort(cells, simpler);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

u64 random_cell(const Domain& domain, u64 random, u64 more) {
  if (is_float(domain.type)) {
    const u64 cell = cell_of_float(domain.type, random_float(domain, random, more));
    const bool fits = is_in(domain, cell);
    const u64 inside = fits ? cell : cell_of_float(domain.type, uniform_float(domain, random));
    return cell_of(domain, choice_of(domain, inside));
  }
  const Reach reach = reach_of(domain);
  const u64 width = reach.up + reach.down;
  const u64 number = (more & 64) != 0 ? random_bits(random, more) : random;
  return integer_cell(domain, width == ~0ull ? number : number % (width + 1));
}

}  // namespace komuz::engine
