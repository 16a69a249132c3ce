// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "frontend_gpu/byte_masks.h"

namespace komuz::frontend {

void byte_masks_avx512(const u8* bytes, u32 blocks, ByteMasks* masks) {
  const auto all = [](int c) { return _mm512_set1_epi8(static_cast<char>(c)); };
  // Which `join` bytes have this low nibble: bit 0 for 0x2_, bit 1 for 0x3_, bit 2 for 0x5_, bit 3 for 0x7_.
  const __m512i low_sets =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 10, 3, 7, 1));
  const __m512i high_bit =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 1, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m512i nibble = all(15);
  for (u32 b = 0; b < blocks; ++b) {
    const __m512i c = _mm512_loadu_si512(bytes + 64 * static_cast<size_t>(b));
    const __m512i lower = _mm512_or_si512(c, all(32));
    const auto is = [&](char x) { return _mm512_cmpeq_epi8_mask(c, all(x)); };
    const auto is_letter = [&](char x) { return _mm512_cmpeq_epi8_mask(lower, all(x)); };
    const u64 digit = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(c, all('0')), all(10));
    const u64 alpha = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(lower, all('a')), all(26));
    const __m512i low = _mm512_shuffle_epi8(low_sets, _mm512_and_si512(c, nibble));
    const __m512i high =
        _mm512_shuffle_epi8(high_bit, _mm512_and_si512(_mm512_srli_epi16(c, 4), nibble));
    const u64 newline = is('\n');
    masks[b] = {
        .word = digit | alpha | is('_'),
        .digit = digit,
        .blank = is(' ') | is('\t') | is('\r') | newline,
        .join = _mm512_test_epi8_mask(low, high),
        .quote = is('"') | is('\''),
        .newline = newline,
        .dot = is('.'),
        .slash = is('/'),
        .exponent = is_letter('e'),
        .sign = is('+') | is('-'),
        .radix = is_letter('x') | is_letter('b') | is_letter('o'),
        .hole = is('?'),
        .tail = _mm512_cmplt_epi8_mask(c, all(-64)),
    };
  }
}

}  // namespace komuz::frontend
