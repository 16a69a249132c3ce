// SPDX-License-Identifier: Apache-2.0
// Literals outside of a program against the same literals inside of a program.
#include "frontend_gpu/text/literal_text.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/random.h"
#include "frontend_gpu/frontend.h"

namespace komuz::test {
namespace {

using frontend::LiteralFault;
using frontend::read_literal;

// The constant that a function with this body returns, if it does nothing else. The sign of a float is an operation.
class ConstantOf {
 public:
  std::optional<u64> operator()(const std::string& text, Scalar type) {
    compiler_.compile("fn f() -> " + std::string(scalar_name(type)) + " { " + text + " }", out_);
    const Code& code = out_.code;
    const size_t size = code.instructions.size();
    if (!out_.ok || size > 3 || code.instructions[0].op != Op::LoadConst) return std::nullopt;
    const u64 cell = code.constants[code.instructions[0].b];
    if (size == 2) return cell;
    if (code.instructions[1].op != Op::Neg || !is_float(type)) return std::nullopt;
    return cell ^ u64 { 1 } << (scalar_bits(type) - 1);
  }

 private:
  frontend::Compiler compiler_{frontend::Options{.is_plain = true}};
  frontend::Compilation out_;
};

std::string random_literal(Random& random) {
  constexpr std::string_view kHeads[] = {"", "-", "0x", "-0x", "0b", "0o", "'", "-'", "1", "0"};
  constexpr std::string_view kBytes = "0011223344556789_.eE+-abfFxo'\\ni";
  std::string text(random.pick(kHeads));
  // Now and then longer than a block of the lexer.
  for (u32 left = random.below(random.one_in(50) ? 100 : 12); left > 0; --left)
    text += random.pick(kBytes);
  if (random.one_in(8)) text += "'";
  return text;
}

TEST(LiteralText, IsReadAsInAProgram) {
  constexpr u64 kSeed = 1;
  constexpr Scalar kTypes[] = {Scalar::I32, Scalar::I64, Scalar::U8, Scalar::U32,
                               Scalar::U64, Scalar::F32, Scalar::F64};
  Random random(kSeed);
  ConstantOf constant_of;
  u32 read = 0;
  for (u32 round = 0; round < 200'000; ++round) {
    const std::string text = random_literal(random);
    const Scalar type = random.pick(kTypes);
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round) + ": `" +
                 text + "` as " + std::string(scalar_name(type)));
    if (text.find_first_of("0123456789'") == std::string::npos) continue;  // `E` is a constant
    // Outside of programs whole numbers are rounded, and are decimal alone.
    const bool is_whole = text.find_first_not_of("-0123456789_") == std::string::npos;
    if (is_float(type) &&
        (is_whole || text.find('x') != std::string::npos || text.find('b') != std::string::npos ||
         text.find('o') != std::string::npos))
      continue;
    const frontend::LiteralText literal = read_literal(text, type);
    const std::optional<u64> wanted = constant_of(text, type);
    ASSERT_EQ(literal.fault == LiteralFault::None, wanted.has_value());
    if (!wanted) continue;
    ASSERT_EQ(literal.cell, *wanted);
    ++read;
  }
  EXPECT_GT(read, 5'000u);
}

TEST(LiteralText, WholeNumbersAreFloatsToo) {
  EXPECT_EQ(read_literal("1_0", Scalar::F64).cell, read_literal("10.0", Scalar::F64).cell);
  EXPECT_EQ(read_literal("-2", Scalar::F32).cell, read_literal("-2.0", Scalar::F32).cell);
  EXPECT_EQ(read_literal("0x10", Scalar::F64).fault, LiteralFault::NoLiteral);
}

}  // namespace
}  // namespace komuz::test
