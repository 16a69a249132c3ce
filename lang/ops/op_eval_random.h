// SPDX-License-Identifier: Apache-2.0
// RAND: Philox4x32-10, a random function of a counter (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", 2011). Ten rounds of two products, of 32 by 32 bits, turn the words of the counter into the words
// of the block:
//
//   (c0, c1, c2, c3)  ->  (high(c2 · m1) ^ c1 ^ k0,  low(c2 · m1),  high(c0 · m0) ^ c3 ^ k1,  low(c0 · m0))
//
// Each round's key is the last one plus a constant. V is lanes of u64; each lane holds one word, of 32 bits.
#pragma once
#include "lang/ops/evaluated.h"
#include "lang/ops/lanes_x86.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class V>
struct PhiloxBlock {
  V word[4];
};

template <class V>
HD PhiloxBlock<V> philox4x32_10(PhiloxBlock<V> counter, V key_low, V key_high) {
  constexpr u64 low_word = 0xFFFF'FFFFu;
  V c0 = counter.word[0], c1 = counter.word[1], c2 = counter.word[2], c3 = counter.word[3];
  for (u32 round = 0; round < 10; ++round) {
    const V product0 = multiply_low_halves(c0, splat<V>(0xD251'1F53u));
    const V product1 = multiply_low_halves(c2, splat<V>(0xCD9E'8D57u));
    c0 = (product1 >> 32) ^ c1 ^ key_low;
    c1 = product1 & splat<V>(low_word);
    c2 = (product0 >> 32) ^ c3 ^ key_high;
    c3 = product0 & splat<V>(low_word);
    key_low = (key_low + splat<V>(0x9E37'79B9u)) & splat<V>(low_word);
    key_high = (key_high + splat<V>(0xBB67'AE85u)) & splat<V>(low_word);
  }
  return {{c0, c1, c2, c3}};
}

// The first two words of the block for the counter (low and high half of `counter`, 0, 0); the first one is in the
// low half.
template <class V>
HD Evaluated<V> random_bits(V seed, V counter) {
  const V low_word = splat<V>(0xFFFF'FFFFu), zero = splat<V>(0);
  const PhiloxBlock<V> block = philox4x32_10<V>({{counter & low_word, counter >> 32, zero, zero}},
                                                seed & low_word, seed >> 32);
  return {static_cast<V>(block.word[0] | block.word[1] << 32)};
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
