// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "frontend_gpu/text/byte_masks_body.h"

namespace komuz::frontend {
namespace {

struct Bytes {
  __m256i low, high;

  static Bytes load(const u8* p) {
    const auto half = [p](u32 at) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + at));
    };
    return {half(0), half(32)};
  }
  static __m256i all(int c) { return _mm256_set1_epi8(static_cast<char>(c)); }
  static __m256i table(const u8 (&row)[16]) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row)));
  }
  // The highest bits of the bytes that `test` gives.
  template <class Test>
  [[nodiscard]] u64 where(Test test) const {
    const auto mask = [&](__m256i half) {
      return static_cast<u64>(static_cast<u32>(_mm256_movemask_epi8(test(half))));
    };
    return mask(low) | mask(high) << 32;
  }

  [[nodiscard]] Bytes lower_case() const {
    return {_mm256_or_si256(low, all(32)), _mm256_or_si256(high, all(32))};
  }
  [[nodiscard]] u64 equal(char c) const {
    return where([c](__m256i v) { return _mm256_cmpeq_epi8(v, all(c)); });
  }
  [[nodiscard]] u64 in_range(char first, int count) const {
    // x < n for unsigned numbers, as min(x, n - 1) == x.
    return where([first, count](__m256i v) {
      const __m256i x = _mm256_sub_epi8(v, all(first));
      return _mm256_cmpeq_epi8(_mm256_min_epu8(x, all(count - 1)), x);
    });
  }
  [[nodiscard]] u64 is_join() const {
    return ~where([](__m256i v) {
      const __m256i nibble = all(15);
      const __m256i sets = _mm256_shuffle_epi8(table(kLowSets), _mm256_and_si256(v, nibble));
      const __m256i bit =
          _mm256_shuffle_epi8(table(kHighBits), _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
      return _mm256_cmpeq_epi8(_mm256_and_si256(sets, bit), _mm256_setzero_si256());
    });
  }
  [[nodiscard]] u64 is_tail() const {
    return where([](__m256i v) { return _mm256_cmpgt_epi8(all(-64), v); });
  }
};

}  // namespace

void byte_masks_avx2(const u8* bytes, u32 blocks, ByteMasks* masks) {
  fill_byte_masks<Bytes>(bytes, blocks, masks);
}

}  // namespace komuz::frontend
