// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "frontend_gpu/text/byte_masks_body.h"

namespace komuz::frontend {
namespace {

struct Bytes {
  __m512i v;

  static Bytes load(const u8* p) { return {_mm512_loadu_si512(p)}; }
  static __m512i all(int c) { return _mm512_set1_epi8(static_cast<char>(c)); }
  static __m512i table(const u8 (&row)[16]) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row)));
  }

  [[nodiscard]] Bytes lower_case() const { return {_mm512_or_si512(v, all(32))}; }
  [[nodiscard]] u64 equal(char c) const { return _mm512_cmpeq_epi8_mask(v, all(c)); }
  [[nodiscard]] u64 in_range(char first, int count) const {
    return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(v, all(first)), all(count));
  }
  [[nodiscard]] u64 is_join() const {
    const __m512i nibble = all(15);
    const __m512i low = _mm512_shuffle_epi8(table(kLowSets), _mm512_and_si512(v, nibble));
    const __m512i high =
        _mm512_shuffle_epi8(table(kHighBits), _mm512_and_si512(_mm512_srli_epi16(v, 4), nibble));
    return _mm512_test_epi8_mask(low, high);
  }
  [[nodiscard]] u64 is_tail() const { return _mm512_cmplt_epi8_mask(v, all(-64)); }
};

}  // namespace

void byte_masks_avx512(const u8* bytes, u32 blocks, ByteMasks* masks) {
  fill_byte_masks<Bytes>(bytes, blocks, masks);
}

}  // namespace komuz::frontend
