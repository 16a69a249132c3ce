// SPDX-License-Identifier: Apache-2.0
// Conversion of literals to cells, especially of short ones, which are read eight digits at once.
#include "frontend_gpu/text/literal.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/random.h"

namespace komuz::test {
namespace {

using frontend::float_literal;
using frontend::integer_literal;
using frontend::Literal;

// As in a source: the bytes behind the token are readable, and may be digits or a point.
class Text {
 public:
  Text(const std::string& token, const std::string& behind)
      : text_(token + behind + "        "), length_(static_cast<u32>(token.size())) {}
  [[nodiscard]] const u8* bytes() const { return reinterpret_cast<const u8*>(text_.data()); }
  [[nodiscard]] u32 length() const { return length_; }

 private:
  std::string text_;
  u32 length_;
};

std::string digits(Random& random, u32 count) {
  std::string text;
  for (u32 k = 0; k < count; ++k) text += static_cast<char>('0' + random.below(10));
  return text;
}

template <class F>
void expect_float(const std::string& token, const std::string& behind, Scalar type) {
  F value = 0;
  std::from_chars(token.data(), token.data() + token.size(), value);
  u64 cell = 0;
  std::memcpy(&cell, &value, sizeof value);
  const Text text(token, behind);
  const Literal found = float_literal(text.bytes(), text.length(), type);
  EXPECT_EQ(found.error, DiagnosticCode::None) << token;
  EXPECT_EQ(found.cell, cell) << token;
}

// The text that reproduces a failure.
std::string drawn_from(u64 seed, u32 round) {
  return "seed " + std::to_string(seed) + ", round " + std::to_string(round);
}

TEST(Literal, FloatsAreTheNearestOnes) {
  constexpr u64 kSeed = 1;
  Random random(kSeed);
  for (u32 round = 0; round < 200'000; ++round) {
    SCOPED_TRACE(drawn_from(kSeed, round));
    const u32 before = 1 + random.below(8), after = 1 + random.below(8);
    const std::string token = digits(random, before) + "." + digits(random, after);
    const std::string behind = round % 3 == 0 ? ".5" : round % 3 == 1 ? "9" : ")";
    expect_float<f64>(token, behind, Scalar::F64);
    expect_float<f32>(token, behind, Scalar::F32);
  }
}

// Eight digits are read at once wherever they stand, and more than 19 are read again.
TEST(Literal, LongFloatsAreTheNearestOnes) {
  constexpr u64 kSeed = 3;
  Random random(kSeed);
  for (u32 round = 0; round < 200'000; ++round) {
    SCOPED_TRACE(drawn_from(kSeed, round));
    const std::string zeros(random.below(3) == 0 ? random.below(12) : 0, '0');
    const std::string whole = random.below(2) == 0 ? "0" : digits(random, 1 + random.below(12));
    std::string token = whole + "." + zeros + digits(random, 1 + random.below(24));
    if (random.below(2) == 0)
      token += (random.below(2) == 0 ? "e-" : "e") + std::to_string(random.below(20));
    expect_float<f64>(token, ")", Scalar::F64);
    expect_float<f32>(token, "7", Scalar::F32);
  }
}

TEST(Literal, IntegersOfAllLengths) {
  constexpr u64 kSeed = 2;
  Random random(kSeed);
  for (u32 round = 0; round < 100'000; ++round) {
    SCOPED_TRACE(drawn_from(kSeed, round));
    const std::string token = digits(random, 1 + random.below(18));
    u64 value = 0;
    std::from_chars(token.data(), token.data() + token.size(), value);
    const Text text(token, round % 2 == 0 ? "7" : ";");
    const auto as = [&](Scalar type, bool negative) {
      return integer_literal(text.bytes(), text.length(), type, negative);
    };
    EXPECT_EQ(as(Scalar::I64, false).cell, value) << token;
    EXPECT_EQ(as(Scalar::I64, true).cell, 0 - value) << token;
    EXPECT_EQ(as(Scalar::U8, false).error,
              value > 255 ? DiagnosticCode::LiteralRange : DiagnosticCode::None)
        << token;
    EXPECT_EQ(as(Scalar::I32, true).error,
              value > 1u << 31 ? DiagnosticCode::LiteralRange : DiagnosticCode::None)
        << token;
  }
}

// A number that is not short takes the long path, with the same result.
TEST(Literal, OtherSpellings) {
  const auto integer = [](const std::string& token) {
    const Text text(token, "");
    return integer_literal(text.bytes(), text.length(), Scalar::I64, false);
  };
  EXPECT_EQ(integer("1_000").cell, 1000u);
  EXPECT_EQ(integer("0xFF").cell, 255u);
  EXPECT_EQ(integer("0b101").cell, 5u);
  EXPECT_EQ(integer("12:4").error, DiagnosticCode::BadNumber);
  EXPECT_EQ(integer("1/2").error, DiagnosticCode::BadNumber);
  EXPECT_EQ(integer("7u8").error, DiagnosticCode::NumberSuffix);
  const auto number = [](const std::string& token) {
    const Text text(token, "");
    return float_literal(text.bytes(), text.length(), Scalar::F64);
  };
  EXPECT_EQ(number("1_0.5").cell, number("10.5").cell);
  EXPECT_EQ(number("1.5e1").cell, number("15.0").cell);
  EXPECT_EQ(number("1.5.2").error, DiagnosticCode::BadNumber);
  EXPECT_EQ(number("1.5f32").error, DiagnosticCode::NumberSuffix);
}

// An integer is a float where the float is exactly that number.
TEST(Literal, IntegersAsFloats) {
  const auto as = [](const std::string& token, Scalar type) {
    const Text text(token, "5");
    return frontend::number_literal(Node::Int, text.bytes(), text.length(), type, false);
  };
  constexpr u64 kSeed = 4;
  Random random(kSeed);
  for (u32 round = 0; round < 100'000; ++round) {
    SCOPED_TRACE(drawn_from(kSeed, round));
    const u64 value = random.next() >> random.below(64) << random.below(12);
    const std::string token = std::to_string(value);
    const auto wide = static_cast<long double>(value);  // of 64 bits
    const f64 as_f64 = static_cast<f64>(value);
    const f32 as_f32 = static_cast<f32>(value);
    const Literal f64_literal = as(token, Scalar::F64), f32_literal = as(token, Scalar::F32);
    if (static_cast<long double>(as_f64) == wide)
      EXPECT_EQ(f64_literal.cell, std::bit_cast<u64>(as_f64)) << token;
    else
      EXPECT_EQ(f64_literal.error, DiagnosticCode::IntegerNotExact) << token;
    if (static_cast<long double>(as_f32) == wide)
      EXPECT_EQ(f32_literal.cell, std::bit_cast<u32>(as_f32)) << token;
    else
      EXPECT_EQ(f32_literal.error, DiagnosticCode::IntegerNotExact) << token;
  }
  EXPECT_EQ(as("0x1F", Scalar::F64).cell, std::bit_cast<u64>(31.0));
  const Text two("2", ")");
  EXPECT_EQ(frontend::number_literal(Node::Int, two.bytes(), two.length(), Scalar::F64, true).cell,
            std::bit_cast<u64>(-2.0));
  EXPECT_EQ(as("1_000", Scalar::F32).cell, std::bit_cast<u32>(1000.0f));
  // Of more than 64 bits.
  EXPECT_EQ(as("18446744073709551616", Scalar::F64).cell, std::bit_cast<u64>(0x1p64));
  EXPECT_EQ(as("18446744073709551617", Scalar::F64).error, DiagnosticCode::IntegerNotExact);
  EXPECT_EQ(as("0x1_0000_0000_0000_0000", Scalar::F32).cell, std::bit_cast<u32>(0x1p64f));
  EXPECT_EQ(as("340282346638528859811704183484516925440", Scalar::F32).cell,
            std::bit_cast<u32>(std::numeric_limits<f32>::max()));
  EXPECT_EQ(as("340282366920938463463374607431768211456", Scalar::F32).error,
            DiagnosticCode::IntegerNotExact);  // 2^128
  for (u32 power = 64; power < 1024; ++power) {
    const f64 value =
        std::ldexp(static_cast<f64>(random.next() >> 11 | 1), static_cast<int>(power) - 53);
    char text[400];
    const std::string token(
        text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 0).ptr);
    EXPECT_EQ(as(token, Scalar::F64).cell, std::bit_cast<u64>(value)) << token;
    std::string other = token;
    other.back() = static_cast<char>(other.back() ^ 1);  // an odd number
    EXPECT_EQ(as(other, Scalar::F64).error, DiagnosticCode::IntegerNotExact) << other;
  }
  EXPECT_EQ(as("1" + std::string(400, '0'), Scalar::F64).error, DiagnosticCode::IntegerNotExact);
  EXPECT_EQ(as("7u8", Scalar::F64).error, DiagnosticCode::NumberSuffix);
}

}  // namespace
}  // namespace komuz::test
