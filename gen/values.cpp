// SPDX-License-Identifier: Apache-2.0
#include "gen/values.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "lang/cases.h"

namespace komuz::gen {

namespace {

template <class T>
T random_integer(Random& random) {
  using Limits = std::numeric_limits<T>;
  switch (random.below(8)) {
    case 0: return static_cast<T>(random.below(2) + (Limits::max() - 1));
    case 1: return static_cast<T>(Limits::min() + static_cast<T>(random.below(2)));
    case 2: return static_cast<T>(T{1} << random.below(sizeof(T) * 8));
    case 3: return static_cast<T>(random.next());
    case 4: return static_cast<T>(0 - static_cast<T>(random.below(3)));
    case 5: return 0;
    default: return static_cast<T>(random.below(10));
  }
}

template <class T>
T random_float(Random& random) {
  using Limits = std::numeric_limits<T>;
  static constexpr T kEdges[] = {T(0),
                                 T(-0.0),
                                 T(1),
                                 T(-1),
                                 T(0.5),
                                 T(1.5),
                                 T(2.5),
                                 T(-2.5),
                                 T(255),
                                 T(256),
                                 T(2147483648.),
                                 T(9223372036854775808.),
                                 T(1e19),
                                 T(-1e19),
                                 Limits::min(),
                                 Limits::denorm_min(),
                                 Limits::max(),
                                 -Limits::max(),
                                 Limits::epsilon()};
  switch (random.below(4)) {
    case 0: return random.pick(kEdges);
    case 1: return static_cast<T>(random.below(1000)) / T(8) - T(30);
    case 2: return static_cast<T>(random.below(10));
    default:
      return std::ldexp(static_cast<T>(random.below(1u << 20)),
                        static_cast<int>(random.below(60)) - 40);
  }
}

template <class T>
u64 integer_cell(T value) {
  return static_cast<u64>(static_cast<i64>(value));
}

template <class T>
std::string float_literal(T value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  std::string out(text, end);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

}  // namespace

u64 random_cell(Random& random, Scalar type) {
  const u32 special = random.below(24);  // for a float: infinities and NaN
  switch (type) {
    case Scalar::None: return 0;
    case Scalar::Bool: return random.below(2);
    case Scalar::I32: return integer_cell(random_integer<i32>(random));
    case Scalar::I64: return integer_cell(random_integer<i64>(random));
    case Scalar::U8: return random_integer<u8>(random);
    case Scalar::U32: return random_integer<u32>(random);
    case Scalar::U64: return random_integer<u64>(random);
    case Scalar::F32:
      if (special == 0) return kCanonicalNan32;
      if (special < 3) return std::bit_cast<u32>(special == 1 ? HUGE_VALF : -HUGE_VALF);
      return std::bit_cast<u32>(random_float<f32>(random));
    case Scalar::F64:
      if (special == 0) return kCanonicalNan64;
      if (special < 3) return std::bit_cast<u64>(special == 1 ? HUGE_VAL : -HUGE_VAL);
      return std::bit_cast<u64>(random_float<f64>(random));
  }
  return 0;
}

std::string random_literal(Random& random, Scalar type) {
  switch (type) {
    case Scalar::None: return "()";
    case Scalar::Bool: return random.below(2) != 0 ? "true" : "false";
    case Scalar::F32: return float_literal(random_float<f32>(random));
    case Scalar::F64: return float_literal(random_float<f64>(random));
    case Scalar::I32:
    case Scalar::I64: return std::to_string(static_cast<i64>(random_cell(random, type)));
    case Scalar::U8:
      if (random.one_in(6))
        return std::string("'") + static_cast<char>('a' + random.below(26)) + "'";
      [[fallthrough]];
    case Scalar::U32:
    case Scalar::U64: {
      const u64 value = random_cell(random, type);
      if (!random.one_in(4)) return std::to_string(value);
      char text[32];
      return "0x" + std::string(text, std::to_chars(text, text + sizeof text, value, 16).ptr);
    }
  }
  return "()";
}

}  // namespace komuz::gen
