// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "frontend_gpu/byte_masks.h"

namespace komuz::frontend {

namespace {

// The masks of 32 bytes, in the low half of each word.
ByteMasks half_block(const u8* bytes) {
  const auto all = [](int c) { return _mm256_set1_epi8(static_cast<char>(c)); };
  const auto mask = [](__m256i v) {
    return static_cast<u64>(static_cast<u32>(_mm256_movemask_epi8(v)));
  };
  const __m256i low_sets =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 10, 3, 7, 1));
  const __m256i high_bit =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 1, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m256i nibble = all(15);
  const __m256i c = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
  const __m256i lower = _mm256_or_si256(c, all(32));
  const auto is = [&](char x) { return mask(_mm256_cmpeq_epi8(c, all(x))); };
  const auto is_letter = [&](char x) { return mask(_mm256_cmpeq_epi8(lower, all(x))); };
  // x < n unsigned, as min(x, n - 1) == x
  const auto below = [&](__m256i x, int n) {
    return mask(_mm256_cmpeq_epi8(_mm256_min_epu8(x, all(n - 1)), x));
  };
  const u64 digit = below(_mm256_sub_epi8(c, all('0')), 10);
  const u64 alpha = below(_mm256_sub_epi8(lower, all('a')), 26);
  const __m256i low = _mm256_shuffle_epi8(low_sets, _mm256_and_si256(c, nibble));
  const __m256i high =
      _mm256_shuffle_epi8(high_bit, _mm256_and_si256(_mm256_srli_epi16(c, 4), nibble));
  const __m256i none = _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256());
  const u64 newline = is('\n');
  return {
      .word = digit | alpha | is('_'),
      .digit = digit,
      .blank = is(' ') | is('\t') | is('\r') | newline,
      .join = mask(none) ^ 0xFFFF'FFFFu,
      .quote = is('"') | is('\''),
      .newline = newline,
      .dot = is('.'),
      .slash = is('/'),
      .exponent = is_letter('e'),
      .sign = is('+') | is('-'),
      .radix = is_letter('x') | is_letter('b') | is_letter('o'),
      .hole = is('?'),
      .tail = mask(_mm256_cmpgt_epi8(all(-64), c)),
  };
}

}  // namespace

void byte_masks_avx2(const u8* bytes, u32 blocks, ByteMasks* masks) {
  for (u32 b = 0; b < blocks; ++b) {
    const ByteMasks low = half_block(bytes + 64 * static_cast<size_t>(b));
    const ByteMasks high = half_block(bytes + 64 * static_cast<size_t>(b) + 32);
    masks[b] = {
        .word = low.word | high.word << 32,
        .digit = low.digit | high.digit << 32,
        .blank = low.blank | high.blank << 32,
        .join = low.join | high.join << 32,
        .quote = low.quote | high.quote << 32,
        .newline = low.newline | high.newline << 32,
        .dot = low.dot | high.dot << 32,
        .slash = low.slash | high.slash << 32,
        .exponent = low.exponent | high.exponent << 32,
        .sign = low.sign | high.sign << 32,
        .radix = low.radix | high.radix << 32,
        .hole = low.hole | high.hole << 32,
        .tail = low.tail | high.tail << 32,
    };
  }
}

}  // namespace komuz::frontend
