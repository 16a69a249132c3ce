// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid/decimal_number.h"

#include <bit>
#include <charconv>

#include "frontend_gpu/text/decimal.h"

namespace komuz::engine {

namespace {

template <class F>
DecimalNumber shortest(F value) {
  // For example `-1.2345e-05`.
  char text[32];
  const char* const end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  DecimalNumber out;
  const char* at = text;
  if (*at == '-') out.is_negative = true, ++at;
  bool is_behind_point = false;
  for (; at != end && *at != 'e'; ++at) {
    if (*at == '.') {
      is_behind_point = true;
      continue;
    }
    out.digits = out.digits * 10 + static_cast<u64>(*at - '0');
    out.exponent -= is_behind_point;
  }
  if (out.digits == 0) return {};
  i32 exponent = 0;
  if (at != end && *++at == '+') ++at;
  std::from_chars(at, end, exponent);
  out.exponent += exponent;
  return out;
}

template <class F>
u64 nearest(const DecimalNumber& number) {
  char text[24];
  const char* const end = std::to_chars(text, text + sizeof text, number.digits).ptr;
  const frontend::Decimal decimal{number.digits, number.exponent, number.exponent, false};
  const u64 bits = frontend::nearest_float<F>(decimal, reinterpret_cast<const u8*>(text),
                                              static_cast<u32>(end - text))
                       .bits;
  return bits | static_cast<u64>(number.is_negative) << (8 * sizeof(F) - 1);
}

template <class F>
FloatRange range() {
  return {frontend::FloatFormat<F>::kBits, frontend::FloatFormat<F>::kMinExponent};
}

}  // namespace

DecimalNumber shortest_decimal(Scalar type, u64 cell) {
  return type == Scalar::F32 ? shortest(std::bit_cast<f32>(static_cast<u32>(cell)))
                             : shortest(std::bit_cast<f64>(cell));
}

u64 nearest_cell(Scalar type, const DecimalNumber& number) {
  if (number.digits == 0) return 0;
  return type == Scalar::F32 ? nearest<f32>(number) : nearest<f64>(number);
}

FloatRange float_range(Scalar type) { return type == Scalar::F32 ? range<f32>() : range<f64>(); }

}  // namespace komuz::engine
