// SPDX-License-Identifier: Apache-2.0
// Converts literals to cells exactly: a float literal becomes the nearest value of its type.
#pragma once
#include <bit>
#include <cstring>

#include "frontend_gpu/text/byte_masks.h"
#include "frontend_gpu/text/decimal.h"
#include "frontend_gpu/text/name_hash.h"
#include "lang/diagnostics.h"
#include "lang/nodes.h"
#include "lang/types.h"

namespace komuz::frontend {

struct Literal {
  u64 cell = 0;
  DiagnosticCode error = DiagnosticCode::None;
};

HD Literal literal_error(DiagnosticCode code) { return {0, code}; }

// True if a type's name follows the digits, as in `1u8`.
HD bool is_suffix(const u8* p, u32 n) {
  return n >= 2 && n <= 3 && (p[0] == 'i' || p[0] == 'u' || p[0] == 'f') && is_digit_byte(p[1]) &&
         is_digit_byte(p[n - 1]);
}

// Up to eight digits as the bytes of a word: the last digit in the highest byte, zeros before the first.
struct ShortDigits {
  u64 digits;
  bool plain;  // whether all of them are digits

  // Takes the text in the low `count` bytes, 1 to 8.
  HD static ShortDigits of(u64 text, u32 count) {
    constexpr u64 kZeros = 0x3030'3030'3030'3030u, kSix = 0x0606'0606'0606'0606u;
    const u32 unused = 8 * (8 - count);
    const u64 digits = (text << unused | (kZeros >> 1 >> (63 - unused))) ^ kZeros;
    return {digits, ((digits | (digits + kSix)) & 0xF0F0'F0F0'F0F0'F0F0u) == 0};
  }
  // How many of eight digits stand behind the leading zeros.
  HD u32 significant() const { return 8 - static_cast<u32>(std::countr_zero(digits)) / 8; }
  // Joins digits to pairs, pairs to fours, fours to eight, each by one multiplication.
  HD u32 value() const {
    const u64 pairs = (digits * 10 + (digits >> 8)) & 0x00FF'00FF'00FF'00FFu;
    const u64 fours = (pairs * 100 + (pairs >> 16)) & 0x0000'FFFF'0000'FFFFu;
    return static_cast<u32>(fours * 10000 + (fours >> 32));
  }
};

HD Literal integer_in_range(u64 value, bool over, Scalar type, bool negative) {
  const u32 bits = scalar_bits(type);
  const u64 limit = is_signed(type) ? (1ull << (bits - 1)) - (negative ? 0 : 1)
                    : bits == 64    ? ~0ull
                                    : (1ull << bits) - 1;
  if (over || value > limit) return literal_error(DiagnosticCode::LiteralRange);
  return {negative ? 0 - value : value, DiagnosticCode::None};
}

// How an integer's text is read: its radix, and where its digits begin.
struct IntegerForm {
  u32 radix = 10, begin = 0;

  HD static IntegerForm of(const u8* p, u32 length) {
    if (length <= 2 || p[0] != '0') return {};
    const u8 c = p[1] | 32;
    const u32 radix = c == 'x' ? 16 : c == 'b' ? 2 : c == 'o' ? 8 : 10;
    return {radix, radix == 10 ? 0u : 2u};
  }
};
// 99: it is no digit of any radix.
HD u32 digit_of(u8 c) {
  if (is_digit_byte(c)) return static_cast<u32>(c - '0');
  return (c | 32) >= 'a' && (c | 32) <= 'f' ? static_cast<u32>((c | 32) - 'a' + 10) : 99;
}

// 123, 1_000, 0xFF, 0b1010, 0o17 as a cell of `type`, an integer type. 8 bytes are readable at p.
HD Literal integer_literal(const u8* p, u32 length, Scalar type, bool negative) {
  if (length <= 8) {
    const ShortDigits digits = ShortDigits::of(load_text(p, 8), length);
    if (digits.plain) return integer_in_range(digits.value(), false, type, negative);
  }
  const IntegerForm form = IntegerForm::of(p, length);
  const u32 radix = form.radix;
  u64 value = 0;
  bool over = false, any = false;
  for (u32 k = form.begin; k < length; ++k) {
    if (p[k] == '_' && any) continue;
    const u32 digit = digit_of(p[k]);
    if (digit >= radix)
      return literal_error(any && is_suffix(p + k, length - k) ? DiagnosticCode::NumberSuffix
                                                               : DiagnosticCode::BadNumber);
    any = true;
    over = over || value > (~0ull - digit) / radix;
    value = value * radix + digit;
  }
  return integer_in_range(value, over, type, negative);
}

// The slow path for the few literals that one multiplication or division cannot compute exactly. Its arguments are
// those of float_of.
template <class F>
HD_COLD Literal rounded_literal(u64 digits, u32 count, i32 scale, const u8* p, u32 length) {
  if (count > kMaxFloatDigits) return literal_error(DiagnosticCode::BadNumber);
  const bool is_whole = count <= Decimal::kFirst;
  const Decimal decimal = is_whole ? Decimal{digits, scale, scale, false} : read_decimal(p, length);
  const NearestFloat value = nearest_float<F>(decimal, p, length);
  if (!value.is_in_range) return literal_error(DiagnosticCode::LiteralRange);
  return {value.bits, DiagnosticCode::None};
}

// digits · 10^scale, with `count` digits from the first that is not 0, as the literal at p spells it. If a u64
// cannot hold them, `digits` has no meaning. Exact digits times an exact power of ten are rounded once, which gives
// the nearest value (Clinger, 1990).
HD Literal float_of(u64 digits, u32 count, i32 scale, const u8* p, u32 length, Scalar type) {
  static constexpr f64 kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const i32 size = scale < 0 ? -scale : scale;
  if (type == Scalar::F64) {
    if (count > 15 || size > 22) return rounded_literal<f64>(digits, count, scale, p, length);
    const f64 value = scale < 0 ? static_cast<f64>(digits) / kPowers[size]
                                : static_cast<f64>(digits) * kPowers[size];
    u64 cell;
    std::memcpy(&cell, &value, 8);
    return {cell, DiagnosticCode::None};
  }
  if (count > 8 || digits > (1u << 24) || size > 10)
    return rounded_literal<f32>(digits, count, scale, p, length);
  const f32 power = static_cast<f32>(kPowers[size]);
  const f32 value = scale < 0 ? static_cast<f32>(digits) / power : static_cast<f32>(digits) * power;
  u32 cell;
  std::memcpy(&cell, &value, 4);
  return {cell, DiagnosticCode::None};
}

// 1.5, 1e-3, 2.5e+7 as a cell of `type`, which is f32 or f64. 8 bytes are readable at p.
HD Literal float_literal(const u8* p, u32 length, Scalar type) {
  if (length <= 8) {
    const u64 text = load_text(p, length), dots = text ^ 0x2E2E'2E2E'2E2E'2E2Eu;
    const u64 zero_bytes = (dots - 0x0101'0101'0101'0101u) & ~dots & 0x8080'8080'8080'8080u;
    const u32 dot = static_cast<u32>(std::countr_zero(zero_bytes)) / 8;
    if (dot != 0 && dot < length) {
      const u64 before = (1ull << 8 * dot) - 1;
      const ShortDigits digits =
          ShortDigits::of((text & before) | (text >> 8 & ~before), length - 1);
      const i32 scale = static_cast<i32>(dot) - static_cast<i32>(length) + 1;
      if (digits.plain) return float_of(digits.value(), length - 1, scale, p, length, type);
    }
  }
  u64 digits = 0;
  i32 scale = 0;  // the value is digits · 10^scale
  u32 k = 0, count = 0;
  bool dot = false, plain = true;
  for (; k < length && (p[k] | 32) != 'e'; ++k) {
    if (k + 8 <= length) {
      const ShortDigits eight = ShortDigits::of(load_text(p + k, 8), 8);
      if (eight.plain) {
        digits = digits * 100'000'000 + eight.value();
        count += count != 0 ? 8 : eight.significant();
        scale -= dot ? 8 : 0;
        k += 7;
        continue;
      }
    }
    const u8 c = p[k];
    if (c == '.') {
      plain = plain && !dot;
      dot = true;
    } else if (is_digit_byte(c)) {
      digits = digits * 10 + (c - '0');
      count += count != 0 || c != '0';
      scale -= dot;
    } else if (c != '_') {
      return literal_error(is_suffix(p + k, length - k) ? DiagnosticCode::NumberSuffix
                                                        : DiagnosticCode::BadNumber);
    }
  }
  if (k < length) {
    ++k;
    const bool minus = k < length && p[k] == '-';
    if (k < length && (p[k] == '-' || p[k] == '+')) ++k;
    i32 exponent = 0;
    if (k == length) return literal_error(DiagnosticCode::BadNumber);
    for (; k < length; ++k) {
      if (p[k] == '_') continue;
      if (!is_digit_byte(p[k]))
        return literal_error(is_suffix(p + k, length - k) ? DiagnosticCode::NumberSuffix
                                                          : DiagnosticCode::BadNumber);
      if (exponent < 10000) exponent = exponent * 10 + (p[k] - '0');
    }
    scale += minus ? -exponent : exponent;
  }
  if (!plain) return literal_error(DiagnosticCode::BadNumber);
  return float_of(digits, count, scale, p, length, type);
}

// A byte that a character or string literal spells, directly or by an escape.
struct SpelledByte {
  u8 value = 0;
  u32 length = 0;  // bytes of its spelling; 0: no byte is spelt
};
// `left`: bytes of the literal from p on, without its last quote.
HD SpelledByte spelled_byte(const u8* p, u32 left) {
  if (left == 0) return {};
  if (p[0] != '\\') return {p[0], 1};
  if (left == 1) return {};
  const auto hex = [](u8 c) -> u32 {
    return is_digit_byte(c)                     ? static_cast<u32>(c - '0')
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? static_cast<u32>((c | 32) - 'a' + 10)
                                                : 99;
  };
  switch (p[1]) {
    case 'n': return {'\n', 2};
    case 't': return {'\t', 2};
    case 'r': return {'\r', 2};
    case '0': return {0, 2};
    case '\\': return {'\\', 2};
    case '\'': return {'\'', 2};
    case '"': return {'"', 2};
    case 'x':
      if (left < 4 || hex(p[2]) > 15 || hex(p[3]) > 15) return {};
      return {static_cast<u8>(hex(p[2]) * 16 + hex(p[3])), 4};
    default: return {};
  }
}

// 'a', '\n', '\x41' as a u8.
HD Literal character_literal(const u8* p, u32 length) {
  if (length < 3 || p[length - 1] != '\'') return literal_error(DiagnosticCode::BadCharLiteral);
  const SpelledByte byte = spelled_byte(p + 1, length - 2);
  if (byte.length != length - 2 || p[1] >= 0x80)
    return literal_error(DiagnosticCode::BadCharLiteral);
  return {byte.value, DiagnosticCode::None};
}

// Calls visit(u8) for each byte of "text". Returns the number of bytes, or kBadText.
inline constexpr u32 kBadText = ~0u;
template <class Visit>
HD u32 string_bytes(const u8* p, u32 length, Visit visit) {
  if (length < 2 || p[length - 1] != '"') return kBadText;
  u32 count = 0;
  for (u32 k = 1; k < length - 1; ++count) {
    const SpelledByte byte = spelled_byte(p + k, length - 1 - k);
    if (byte.length == 0) return kBadText;
    visit(byte.value);
    k += byte.length;
  }
  return count;
}

// An integer of more than 64 bits, whose digits are correct, as an F; an error if no F equals it.
template <class F>
HD_COLD Literal long_integer_as(const u8* p, u32 length) {
  using Format = FloatFormat<F>;
  constexpr u32 kMostWords = (Format::kMaxExponent + 1) / 32 + 1;  // of integers that an F holds
  const IntegerForm form = IntegerForm::of(p, length);
  BigNatural n;
  for (u32 k = form.begin; k < length; ++k) {
    if (p[k] == '_' || (n.size == 0 && p[k] == '0')) continue;
    if (n.size > kMostWords) return literal_error(DiagnosticCode::IntegerNotExact);
    n.multiply_add(form.radix, digit_of(p[k]));
  }
  // The number has at least three words, because it is more than a u64 holds.
  const u32 last = n.size - 1,
            bits = 32 * n.size - static_cast<u32>(std::countl_zero(n.words[last]));
  u32 zeros = 0;
  while (n.words[zeros / 32] == 0) zeros += 32;
  zeros += static_cast<u32>(std::countr_zero(n.words[zeros / 32]));
  if (bits > Format::kMaxExponent + 1 || bits - zeros > Format::kBits)
    return literal_error(DiagnosticCode::IntegerNotExact);
  // The highest 64 bits. The significand is the first part of them.
  const u32 shift = static_cast<u32>(std::countl_zero(n.words[last]));
  const u64 high = u64{n.words[last]} << 32 | n.words[last - 1];
  const u64 top = high << shift | (u64{n.words[last - 2]} << shift) >> 32;
  constexpr u64 kMantissa = (u64{1} << (Format::kBits - 1)) - 1;
  const u64 exponent = bits - 1 - static_cast<u32>(Format::kMinExponent) + 1;
  return {exponent << (Format::kBits - 1) | (top >> (64 - Format::kBits) & kMantissa),
          DiagnosticCode::None};
}

// An integer literal as a cell of `type`, which is f32 or f64 and must hold it exactly.
HD_COLD Literal integer_as_float(const u8* p, u32 length, Scalar type) {
  const Literal value = integer_literal(p, length, Scalar::U64, false);
  if (value.error == DiagnosticCode::LiteralRange)
    return type == Scalar::F64 ? long_integer_as<f64>(p, length) : long_integer_as<f32>(p, length);
  if (value.error != DiagnosticCode::None || value.cell == 0) return value;
  const int bits = 64 - std::countl_zero(value.cell) - std::countr_zero(value.cell);
  if (bits > (type == Scalar::F64 ? FloatFormat<f64>::kBits : FloatFormat<f32>::kBits))
    return literal_error(DiagnosticCode::IntegerNotExact);
  return {type == Scalar::F64 ? std::bit_cast<u64>(static_cast<f64>(value.cell))
                              : std::bit_cast<u32>(static_cast<f32>(value.cell)),
          DiagnosticCode::None};
}
// A literal as a cell of `type`, a type of numbers that it takes. `kind`: Int or Float. `negative`: a `-` stands
// before it.
HD Literal number_literal(Node kind, const u8* p, u32 length, Scalar type, bool negative) {
  if (is_integer(type)) return integer_literal(p, length, type, negative);
  Literal value =
      kind == Node::Float ? float_literal(p, length, type) : integer_as_float(p, length, type);
  if (negative) value.cell ^= u64{1} << (scalar_bits(type) - 1);
  return value;
}

}  // namespace komuz::frontend
