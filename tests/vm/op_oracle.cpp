// SPDX-License-Identifier: Apache-2.0
#include "tests/vm/op_oracle.h"

#include <bit>
#include <cctype>
#include <cmath>
#include <limits>

#include "lang/cases.h"

namespace komuz::test {
namespace {

__extension__ typedef __int128 i128;

constexpr OracleAnswer trapped(Trap t) { return {0, t}; }
constexpr OracleAnswer boolean(bool b) { return {b ? u64{1} : u64{0}, Trap::None}; }

// Integers, of a type given by its width and sign.
struct IntegerType {
  u32 bits;
  bool is_signed;

  explicit IntegerType(Scalar s)
      : bits(s == Scalar::Bool ? 1 : scalar_bits(s)), is_signed(komuz::is_signed(s)) {}
  [[nodiscard]] i128 lowest() const { return is_signed ? -(i128{1} << (bits - 1)) : 0; }
  [[nodiscard]] i128 highest() const { return (i128{1} << (bits - (is_signed ? 1 : 0))) - 1; }
  [[nodiscard]] i128 number(u64 cell) const {
    return is_signed ? i128{static_cast<i64>(cell)} : i128{cell};
  }
  [[nodiscard]] bool holds(i128 n) const { return n >= lowest() && n <= highest(); }
  [[nodiscard]] i128 wrapped(i128 n) const {
    const i128 range = i128{1} << bits;
    i128 r = n % range;
    if (r < 0) r += range;
    return r > highest() ? r - range : r;
  }
  [[nodiscard]] OracleAnswer exact(i128 n, Trap otherwise = Trap::Overflow) const {
    return holds(n) ? OracleAnswer{static_cast<u64>(n), Trap::None} : trapped(otherwise);
  }
  [[nodiscard]] OracleAnswer wrap(i128 n) const {
    return {static_cast<u64>(wrapped(n)), Trap::None};
  }
};

i128 floor_quotient(i128 a, i128 b) {
  const i128 q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

OracleAnswer power(const IntegerType& type, i128 base, i128 exponent) {
  if (exponent < 0) return trapped(Trap::Range);
  if (base == 0 || base == 1) return type.exact(exponent == 0 ? 1 : base);
  if (base == -1) return type.exact(exponent % 2 == 0 ? 1 : -1);
  i128 result = 1;
  for (i128 i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(result, base, &result) || !type.holds(result))
      return trapped(Trap::Overflow);
  }
  return type.exact(result);
}

u64 ones(u64 cell, u32 bits) { return bits == 64 ? cell : cell & ((u64{1} << bits) - 1); }

OracleAnswer shift(const IntegerType& type, Op op, u64 x, Scalar amount_type, u64 amount_cell) {
  const i128 amount = IntegerType(amount_type).number(amount_cell);
  const i128 n = type.number(x);
  if (op == Op::Rotl || op == Op::Rotr) {
    i128 places = amount % type.bits;
    if (places < 0) places += type.bits;
    if (op == Op::Rotr) places = (type.bits - places) % type.bits;
    const i128 moved = n << static_cast<int>(places);
    return type.wrap(moved + (moved >> type.bits));
  }
  if (amount < 0) return trapped(Trap::Range);
  const bool beyond = amount >= type.bits;
  if (op == Op::Shl) return type.wrap(beyond ? 0 : n * (i128{1} << static_cast<int>(amount)));
  if (beyond) return type.wrap(n < 0 ? -1 : 0);
  return type.wrap(floor_quotient(n, i128{1} << static_cast<int>(amount)));
}

// Philox4x32-10 as its paper writes it, in words of 32 bits: S-boxes of a product's two halves, then a permutation.
u64 random_number(u64 seed, u64 counter) {
  u32 left[2] = {static_cast<u32>(counter >> 32), 0}, right[2] = {static_cast<u32>(counter), 0};
  u32 key[2] = {static_cast<u32>(seed), static_cast<u32>(seed >> 32)};
  const u32 multipliers[2] = {0xD2511F53, 0xCD9E8D57}, weyl[2] = {0x9E3779B9, 0xBB67AE85};
  for (u32 round = 0; round < 10; ++round) {
    u32 high[2], low[2];
    for (u32 n = 0; n < 2; ++n) {
      const u64 product = u64{right[n]} * multipliers[n];
      high[n] = static_cast<u32>(product >> 32);
      low[n] = static_cast<u32>(product);
    }
    for (u32 n = 0; n < 2; ++n) {
      right[n] = high[1 - n] ^ left[n] ^ key[n];
      left[n] = low[1 - n];
    }
    for (u32 n = 0; n < 2; ++n) key[n] += weyl[n];
  }
  return u64{left[0]} << 32 | right[0];
}

OracleAnswer integers(Instruction i, const u64* x) {
  const IntegerType type(i.type);
  const i128 a = type.number(x[0]);
  const OpForm form = op_row(i.op).form;
  if (form == OpForm::Shift) return shift(type, i.op, x[0], static_cast<Scalar>(i.a), x[1]);
  switch (i.op) {
    case Op::Neg: return type.exact(-a);
    case Op::Abs: return type.exact(a < 0 ? -a : a);
    case Op::Sign: return type.exact((a > 0) - (a < 0));
    case Op::Not: return type.wrap(-1 - a);
    // In the C locale they are those of ASCII.
    case Op::IsDigit: return boolean(std::isdigit(static_cast<int>(a)) != 0);
    case Op::IsLower: return boolean(std::islower(static_cast<int>(a)) != 0);
    case Op::IsUpper: return boolean(std::isupper(static_cast<int>(a)) != 0);
    case Op::IsAlpha: return boolean(std::isalpha(static_cast<int>(a)) != 0);
    case Op::IsSpace: return boolean(std::isspace(static_cast<int>(a)) != 0);
    case Op::ToLower: return type.exact(std::tolower(static_cast<int>(a)));
    case Op::ToUpper: return type.exact(std::toupper(static_cast<int>(a)));
    case Op::Popcount: return {static_cast<u64>(std::popcount(ones(x[0], type.bits))), Trap::None};
    case Op::Clz: {
      const int zeros = std::countl_zero(ones(x[0], type.bits)) - static_cast<int>(64 - type.bits);
      return {static_cast<u64>(zeros), Trap::None};
    }
    case Op::Ctz: {
      const u64 bits = ones(x[0], type.bits);
      return {bits == 0 ? type.bits : static_cast<u64>(std::countr_zero(bits)), Trap::None};
    }
    default: break;
  }
  const i128 b = type.number(x[1]);
  switch (i.op) {
    case Op::Add: return type.exact(a + b);
    case Op::Sub: return type.exact(a - b);
    case Op::Mul:
      return type.exact(type.is_signed ? a * b : (b != 0 && a > type.highest() / b ? -1 : a * b));
    case Op::AddWrap: return type.wrap(a + b);
    case Op::SubWrap: return type.wrap(a - b);
    case Op::MulWrap:
      return {static_cast<u64>(type.wrapped(i128{static_cast<i64>(x[0] * x[1])})), Trap::None};
    case Op::Div: return b == 0 ? trapped(Trap::DivZero) : type.exact(a / b);
    case Op::Rem: return b == 0 ? trapped(Trap::DivZero) : type.exact(a % b);
    case Op::DivFloor: return b == 0 ? trapped(Trap::DivZero) : type.exact(floor_quotient(a, b));
    case Op::ModFloor:
      return b == 0 ? trapped(Trap::DivZero) : type.exact(a - floor_quotient(a, b) * b);
    case Op::Rand: return {random_number(x[0], x[1]), Trap::None};
    case Op::CheckIndex: return a < 0 || a >= b ? trapped(Trap::Index) : type.exact(a);
    case Op::Div0: return type.wrap(b == 0 ? 0 : a / b);
    case Op::Pow: return power(type, a, b);
    case Op::And: return {x[0] & x[1], Trap::None};
    case Op::Or: return {x[0] | x[1], Trap::None};
    case Op::Xor: return {x[0] ^ x[1], Trap::None};
    case Op::Min: return type.exact(a < b ? a : b);
    case Op::Max: return type.exact(a > b ? a : b);
    case Op::Clamp: {
      const i128 c = type.number(x[2]);
      if (b > c) return trapped(Trap::Range);
      return type.exact(a < b ? b : a > c ? c : a);
    }
    case Op::Eq: return boolean(a == b);
    case Op::Ne: return boolean(a != b);
    case Op::Lt: return boolean(a < b);
    case Op::Le: return boolean(a <= b);
    case Op::Gt: return boolean(a > b);
    case Op::Ge: return boolean(a >= b);
    case Op::Cmp: return {static_cast<u64>(i64{a > b} - i64{a < b}), Trap::None};
    default: return trapped(Trap::Hole);  // no operation on integers
  }
}

template <class F>
F read_float(u64 cell) {
  if constexpr (sizeof(F) == 4) {
    return std::bit_cast<f32>(static_cast<u32>(cell));
  } else {
    return std::bit_cast<f64>(cell);
  }
}
OracleAnswer answer(f32 x) {
  return {std::isnan(x) ? kCanonicalNan32 : std::bit_cast<u32>(x), Trap::None};
}
OracleAnswer answer(f64 x) {
  return {std::isnan(x) ? kCanonicalNan64 : std::bit_cast<u64>(x), Trap::None};
}

template <class F>
bool precedes(F a, F b) {  // −0 < +0, NaN last
  if (std::isnan(a)) return false;
  if (std::isnan(b)) return true;
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}
template <class F>
F smaller(F a, F b) {
  return std::isnan(a) || precedes(b, a) ? (std::isnan(b) ? a : b) : a;
}
template <class F>
F larger(F a, F b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  return precedes(a, b) ? b : a;
}

// The library's functions of long doubles have more bits than either type needs, and the special cases of C99. Ours
// may be the next float; tests/vm/functions_test.cpp looks more closely.
template <class F>
OracleAnswer one_step_from(long double exact) {
  OracleAnswer next = answer(static_cast<F>(exact));
  next.steps = std::isfinite(exact) && exact != 0 ? 1 : 0;
  return next;
}

template <class F>
OracleAnswer floats(Instruction i, const u64* x) {
  const F a = read_float<F>(x[0]);
  const long double wide = a;
  switch (i.op) {
    case Op::Exp: return one_step_from<F>(std::exp(wide));
    case Op::Exp2: return one_step_from<F>(std::exp2(wide));
    case Op::Log: return one_step_from<F>(std::log(wide));
    case Op::Log2: return one_step_from<F>(std::log2(wide));
    case Op::Log10: return one_step_from<F>(std::log10(wide));
    case Op::Log0: return one_step_from<F>(a <= 0 ? 0 : std::log(wide));
    case Op::Sin: return one_step_from<F>(std::sin(wide));
    case Op::Cos: return one_step_from<F>(std::cos(wide));
    case Op::Tan: return one_step_from<F>(std::tan(wide));
    case Op::Asin: return one_step_from<F>(std::asin(wide));
    case Op::Acos: return one_step_from<F>(std::acos(wide));
    case Op::Atan: return one_step_from<F>(std::atan(wide));
    case Op::Sinh: return one_step_from<F>(std::sinh(wide));
    case Op::Cosh: return one_step_from<F>(std::cosh(wide));
    case Op::Tanh: return one_step_from<F>(std::tanh(wide));
    case Op::Cbrt: return one_step_from<F>(std::cbrt(wide));
    case Op::Erf: return one_step_from<F>(std::erf(wide));
    case Op::Neg: return answer(std::copysign(a, std::signbit(a) ? F(1) : F(-1)));
    case Op::Abs: return answer(std::fabs(a));
    case Op::Sign: return answer(a > 0 ? F(1) : a < 0 ? F(-1) : a);
    case Op::Sqrt: return answer(std::sqrt(a));
    case Op::Sqrt0: return answer(a < 0 ? F(0) : std::sqrt(a));
    case Op::Floor: return answer(std::floor(a));
    case Op::Ceil: return answer(std::ceil(a));
    case Op::Round: return answer(std::nearbyint(a));
    case Op::Trunc: return answer(std::trunc(a));
    case Op::IsNan: return boolean(std::isnan(a));
    case Op::IsFinite: return boolean(std::isfinite(a));
    default: break;
  }
  const F b = read_float<F>(x[1]);
  switch (i.op) {
    case Op::Add: return answer(a + b);
    case Op::Sub: return answer(a - b);
    case Op::Mul: return answer(a * b);
    case Op::Div: return answer(a / b);
    case Op::Div0: return answer(b == 0 ? F(0) : a / b);
    case Op::Aq: return answer(a / std::sqrt(F(1) + b * b));
    // That of doubles knows the special cases better.
    case Op::Pow:
      if (!std::isfinite(a) || !std::isfinite(b) || a == 0) return answer(std::pow(a, b));
      return one_step_from<F>(std::pow(wide, static_cast<long double>(b)));
    case Op::Atan2: return one_step_from<F>(std::atan2(wide, static_cast<long double>(b)));
    case Op::Hypot: return one_step_from<F>(std::hypot(wide, static_cast<long double>(b)));
    case Op::Fmod: return answer(std::fmod(a, b));
    case Op::Min: return answer(smaller(a, b));
    case Op::Max: return answer(larger(a, b));
    case Op::Eq: return boolean(a == b);
    case Op::Ne: return boolean(a != b);
    case Op::Lt: return boolean(a < b);
    case Op::Le: return boolean(a <= b);
    case Op::Gt: return boolean(a > b);
    case Op::Ge: return boolean(a >= b);
    case Op::Cmp: return {static_cast<u64>(i64{precedes(b, a)} - i64{precedes(a, b)}), Trap::None};
    default: break;
  }
  const F c = read_float<F>(x[2]);
  switch (i.op) {
    case Op::Fma: return answer(std::fma(a, b, c));
    case Op::Near: return boolean(std::fabs(a - b) <= c);
    case Op::Clamp:
      if (!(b <= c)) return trapped(Trap::Range);
      return answer(std::isnan(a) ? a : smaller(larger(a, b), c));
    default: return trapped(Trap::Hole);  // no operation on floats
  }
}

// Every value of a scalar type is a long double, exactly.
long double read_number(Scalar type, u64 cell) {
  if (type == Scalar::F32) return read_float<f32>(cell);
  if (type == Scalar::F64) return read_float<f64>(cell);
  return static_cast<long double>(IntegerType(type).number(cell));
}

OracleAnswer conversion(Instruction i, u64 x) {
  const Scalar from = static_cast<Scalar>(i.a), to = i.type;
  if (i.op == Op::Bits)
    return to == Scalar::U32 ? answer(read_float<f32>(x)) : answer(read_float<f64>(x));
  if (i.op == Op::FromBits)
    return to == Scalar::F32 ? answer(read_float<f32>(x)) : answer(read_float<f64>(x));
  const long double number = read_number(from, x);
  if (to == Scalar::F32) return answer(static_cast<f32>(number));
  if (to == Scalar::F64) return answer(static_cast<f64>(number));
  const IntegerType type(to);
  if (i.op == Op::Exact) {
    const bool fits = number >= static_cast<long double>(type.lowest()) &&
                      number <= static_cast<long double>(type.highest()) &&
                      std::trunc(number) == number;
    return fits ? type.exact(static_cast<i128>(number)) : OracleAnswer{};
  }
  if (!is_float(from)) {
    const i128 n = IntegerType(from).number(x);
    return i.op == Op::Wrap ? type.wrap(n) : type.exact(n, Trap::Range);
  }
  if (std::isnan(number)) return {};
  if (number <= static_cast<long double>(type.lowest())) return type.exact(type.lowest());
  if (number >= static_cast<long double>(type.highest())) return type.exact(type.highest());
  return type.exact(static_cast<i128>(number));
}

}  // namespace

OracleAnswer ask_oracle(Instruction instruction, const u64* operands) {
  if (op_row(instruction.op).form == OpForm::Convert) return conversion(instruction, operands[0]);
  if (instruction.type == Scalar::F32) return floats<f32>(instruction, operands);
  if (instruction.type == Scalar::F64) return floats<f64>(instruction, operands);
  return integers(instruction, operands);
}

}  // namespace komuz::test
