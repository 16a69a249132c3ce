// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 against the known answers that its authors publish (Random123, kat_vectors).
#include <gtest/gtest.h>

#include "lang/ops/eval_cells.h"

namespace komuz::test {
namespace {

struct KnownAnswer {
  u64 counter[4], key[2], block[4];
};

constexpr KnownAnswer kKnownAnswers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};

TEST(Philox, BlocksAreTheKnownOnes) {
  for (const KnownAnswer& known : kKnownAnswers) {
    const PhiloxBlock<u64> counter = {
        {known.counter[0], known.counter[1], known.counter[2], known.counter[3]}};
    const PhiloxBlock<u64> block = philox4x32_10(counter, known.key[0], known.key[1]);
    for (u32 n = 0; n < 4; ++n) EXPECT_EQ(block.word[n], known.block[n]);
  }
}

TEST(Philox, ARandomNumberIsTheFirstTwoWordsOfABlock) {
  const Instruction rand = {Op::Rand, Scalar::U64, 0, 0};
  const u64 zeros[3] = {};  // as many as any operation takes
  EXPECT_EQ(eval_cells(rand, zeros), (EvaluatedCell{0xe169'c58d'6627'e8d5u, Trap::None}));
  // Each half of the seed and of the counter is one word of its own.
  const u64 halves[3] = {0x89ab'cdef'0123'4567u, 0xfedc'ba98'7654'3210u};
  const PhiloxBlock<u64> block =
      philox4x32_10<u64>({{0x7654'3210u, 0xfedc'ba98u, 0, 0}}, 0x0123'4567u, 0x89ab'cdefu);
  EXPECT_EQ(eval_cells(rand, halves).value, block.word[0] | block.word[1] << 32);
}

}  // namespace
}  // namespace komuz::test
