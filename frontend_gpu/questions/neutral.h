// SPDX-License-Identifier: Apache-2.0
// Neutral values: beside one, the other operand of an operation is the result, as in `x * 1`, `x - 0.0`,
// `b && true`.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "lang/ops.h"

namespace komuz::frontend {

// For which operations a known value is neutral. These bits stand beside those of lists.h, so an operation does not
// have to read its operand's cell.
struct Neutral {
  static constexpr u16 kOfSum = 0x100, kZero = 0x200, kOne = 0x400, kAllBits = 0x800;
  static constexpr u16 kAny = kOfSum | kZero | kOne | kAllBits;
};
// 0.0 is not neutral to sums, because -0.0 + 0.0 is 0.0. -0.0 is neutral.
HD constexpr u16 neutral_bits(Scalar type, u64 cell) {
  const u64 sign = u64{1} << (scalar_bits(type) - 1);
  const u64 of_sum = is_float(type) ? sign : 0;
  const u64 one = type == Scalar::F32   ? 0x3F80'0000
                  : type == Scalar::F64 ? 0x3FF0'0000'0000'0000
                                        : 1;
  const u64 all = type == Scalar::Bool ? 1 : is_signed(type) ? ~u64{0} : sign | (sign - 1);
  return static_cast<u16>((cell == of_sum) * Neutral::kOfSum | (cell == 0) * Neutral::kZero |
                          (cell == one) * Neutral::kOne |
                          ((cell == all) & !is_float(type)) * Neutral::kAllBits);
}

// neutral_bits of a literal's value. Until code is made, `own_code` has room for them.
inline namespace KOMUZ_PASSES {
HD decltype(auto) neutral_bits_of(Columns& c, Index i) { return c.own_code[i]; }
HD decltype(auto) neutral_bits_of(const Columns& c, Index i) { return c.own_code[i]; }
}  // namespace KOMUZ_PASSES

}  // namespace komuz::frontend
