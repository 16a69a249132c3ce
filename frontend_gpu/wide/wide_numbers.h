// SPDX-License-Identifier: Apache-2.0
// Vectors whose elements are their own numbers. The wide passes make positions from them.
#pragma once
#include "base/group/wide.h"

namespace komuz::frontend {

// 0, 1, … in bytes.
KOMUZ_WIDE inline __m512i byte_numbers() {
  const __m512i eights = _mm512_set_epi64(
      0x3838383838383838, 0x3030303030303030, 0x2828282828282828, 0x2020202020202020,
      0x1818181818181818, 0x1010101010101010, 0x0808080808080808, 0);
  return _mm512_add_epi8(eights, _mm512_set1_epi64(0x0706050403020100));
}
// 0, 1, … in lanes of 32 bits.
KOMUZ_WIDE inline __m512i lane_numbers() {
  return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

}  // namespace komuz::frontend
