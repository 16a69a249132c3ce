// SPDX-License-Identifier: Apache-2.0
// Every operation gives the same results for scalars and for vectors of every width, at every instruction set of this
// processor.
#include "tests/vm/lane_hash.h"

#include <gtest/gtest.h>

#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

struct InstructionSet {
  const char* name;
  LaneHasher hash;
};

// The same hash by eval_cells, which op_eval_test.cpp compares with the oracle.
u64 hash_cells(Instruction i, const OperandCells& cells) {
  u64 hash = 0;
  for (u32 n = 0; n < cells.count; ++n) {
    const u64 x[3] = {cells.operands[0][n], cells.operands[1][n], cells.operands[2][n]};
    const EvaluatedCell e = eval_cells(i, x);
    hash = add_outcome(hash, e.value, e.trap);
  }
  return hash;
}

// The instruction sets of this processor.
std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets = {{"portable", hash_lanes_portable}};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    sets.push_back({"avx2", hash_lanes_avx2});
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    sets.push_back({"avx512", hash_lanes_avx512});
  return sets;
}

void expect_equal_hashes(Instruction i, const OperandCells& cells) {
  const u64 expected = hash_cells(i, cells);
  for (const InstructionSet& set : instruction_sets())
    for (u32 vector_bytes : {0u, 16u, 32u, 64u})
      EXPECT_EQ(set.hash(i, vector_bytes, cells), expected)
          << operation_text(i) << " at " << set.name << ", " << vector_bytes << " bytes";
}

TEST(LaneHash, EqualForAllWidthsAndInstructionSets) {
  constexpr u32 kCount = 2048;
  for (Instruction i : all_operations()) {
    std::vector<u64> columns[3];
    OperandCells cells = {{}, kCount};
    for (u32 n = 0; n < 3; ++n) {
      EdgeStream stream(operand_type(i, n), 100 + n);
      for (u32 row = 0; row < kCount; ++row) columns[n].push_back(stream.next());
      cells.operands[n] = columns[n].data();
    }
    expect_equal_hashes(i, cells);
  }
}

// The mathematical functions of many more arguments, and the bits that they have had since they were made: programs of
// another time and place rely on them. Who changes a kernel on purpose records the new ones.
TEST(LaneHash, FunctionsHaveTheirBits) {
  constexpr u32 kCount = 1u << 15;
  u64 hash = 0;
  for (Instruction i : all_operations()) {
    if (!is_mathematical(i.op) || !is_float(i.type)) continue;
    EdgeStream first(i.type, 7), second(i.type, 8);
    std::vector<u64> x, y;
    for (u32 row = 0; row < kCount; ++row) {
      x.push_back(first.next());
      y.push_back(second.next());
    }
    const OperandCells cells = {{x.data(), y.data(), y.data()}, kCount};
    expect_equal_hashes(i, cells);
    hash = add_outcome(hash, hash_cells(i, cells), Trap::None);
  }
  EXPECT_EQ(hash, 0x8DE4'8F2F'4024'EFB9u);
}

// Random numbers, too, are those that they have ever been.
TEST(LaneHash, RandomNumbersHaveTheirBits) {
  constexpr u32 kCount = 1u << 12;
  std::vector<u64> seeds, counters;
  for (u32 row = 0; row < kCount; ++row) {
    seeds.push_back(row % 64 * 0x9E37'79B9'7F4A'7C15u);
    counters.push_back(row < kCount / 2 ? row : ~u64{0} - row);
  }
  const OperandCells cells = {{seeds.data(), counters.data(), counters.data()}, kCount};
  const Instruction rand = {Op::Rand, Scalar::U64, 0, 0};
  expect_equal_hashes(rand, cells);
  EXPECT_EQ(hash_cells(rand, cells), 0x5DEFEC2B2812D20Cu);
}

// Vectors divide through floats, where a dividend next to a multiple of the divisor is the hard case.
TEST(LaneHash, DivisionNextToMultiples) {
  constexpr u32 kCount = 1u << 17;
  Random random(5);
  for (Scalar type : {Scalar::I32, Scalar::I64, Scalar::U32, Scalar::U64}) {
    std::vector<u64> dividends, divisors;
    for (u32 row = 0; row < kCount; ++row) {
      const u64 divisor = (random.next() >> random.below(64)) | 1;
      const u64 quotient = ~u64{0} / divisor >> random.below(64);
      const u64 dividend = quotient * divisor + random.below(3) - 1;
      const bool negate = random.below(2) == 0;
      dividends.push_back(canonical_cell(type, negate ? ~dividend : dividend));
      divisors.push_back(canonical_cell(type, random.below(2) == 0 ? ~divisor : divisor));
    }
    const OperandCells cells = {{dividends.data(), divisors.data(), divisors.data()}, kCount};
    for (Op op : {Op::Div, Op::Rem, Op::DivFloor}) expect_equal_hashes({op, type, 0, 0}, cells);
  }
}

// Vectors of which every lane is small have a way of their own: quotients next to an integer, and the edges of what is
// small, in and out.
void expect_equal_quotients(Scalar type, u32 small_bits) {
  constexpr u32 kCount = 1u << 17;
  const i64 limit = i64{1} << small_bits;
  const u32 other_bits = 64 - small_bits;
  Random random(6);
  const i64 lowest = type == Scalar::I64 ? -limit : 0;
  std::vector<u64> dividends, divisors;
  const auto add = [&](i64 dividend, i64 divisor) {
    dividends.push_back(static_cast<u64>(dividend));
    divisors.push_back(static_cast<u64>(divisor));
  };
  // A vector's worth in which nothing else makes it a large one.
  const auto add_vector = [&](i64 dividend, i64 divisor) {
    add(dividend, divisor);
    for (u32 k = 1; k < 8; ++k) add(k, k);
  };
  for (i64 a : {limit - 1, limit, limit + 1, lowest, lowest - 1})
    for (i64 b : {i64{1}, i64{-1}, i64{3}, limit - 1, limit, lowest, lowest - 1, i64{0}})
      add_vector(a, b);
  while (dividends.size() < kCount) {
    const i64 divisor = static_cast<i64>(random.next() >> (other_bits + random.below(small_bits)));
    const u64 quotient = random.next() >> (other_bits + random.below(small_bits));
    i64 dividend = static_cast<i64>((quotient * static_cast<u64>(divisor) & (limit - 1)));
    if (divisor != 0) dividend = dividend / divisor * divisor + random.below(3) - 1;
    if (dividend < 0) dividend = 0;
    const bool is_signed_type = type == Scalar::I64;
    add(is_signed_type && random.below(2) == 0 ? -dividend : dividend,
        is_signed_type && random.below(2) == 0 ? -divisor : divisor);
  }
  const OperandCells cells = {{dividends.data(), divisors.data(), divisors.data()}, kCount};
  for (Op op : {Op::Div, Op::Rem, Op::DivFloor, Op::ModFloor, Op::Div0})
    expect_equal_hashes({op, type, 0, 0}, cells);
}
TEST(LaneHash, DivisionsOfSmallValues) {
  for (const Scalar type : {Scalar::I64, Scalar::U64})
    for (const u32 small_bits : {51u, 52u}) expect_equal_quotients(type, small_bits);
}

}  // namespace
}  // namespace komuz::test
