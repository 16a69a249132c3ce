// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid/real_points.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace komuz::engine {

u64 real_cell(u32 point, Scalar type) {
  const bool is_negative = point < kRealZero;
  const u32 bits = is_negative ? kRealZero - point : point - kRealZero;
  const f32 size = std::bit_cast<f32>(bits);
  if (type == Scalar::F32) return bits == 0 ? 0 : std::bit_cast<u32>(is_negative ? -size : size);
  char text[32];
  // Written out, large numbers would have all of their digits.
  const char* const end =
      std::to_chars(text, text + sizeof text, size, std::chars_format::scientific).ptr;
  f64 number = 0;
  std::from_chars(text, end, number);
  return bits == 0 ? 0 : std::bit_cast<u64>(is_negative ? -number : number);
}

u32 nearest_real_point(f64 number) {
  if (std::isnan(number)) return kRealOne;
  constexpr f64 kMost = std::numeric_limits<f32>::max();
  const auto size = static_cast<f32>(std::min(std::abs(number), kMost));
  const u32 bits = std::min(std::bit_cast<u32>(size), kRealZero);
  return std::signbit(number) ? kRealZero - bits : kRealZero + bits;
}

}  // namespace komuz::engine
