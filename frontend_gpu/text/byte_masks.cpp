// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/text/byte_masks.h"

#include "base/simd_level.h"

namespace komuz::frontend {

void byte_masks_portable(const u8* bytes, u32 blocks, ByteMasks* masks) {
  for (u32 b = 0; b < blocks; ++b) {
    ByteMasks m{};
    for (u32 k = 0; k < 64; ++k) {
      const u8 c = bytes[64 * b + k];
      const auto set = [k](u64& mask, bool on) { mask |= static_cast<u64>(on) << k; };
      set(m.word, is_word_byte(c));
      set(m.digit, is_digit_byte(c));
      set(m.blank, c == ' ' || c == '\t' || c == '\r' || c == '\n');
      set(m.join, is_join_byte(c));
      set(m.quote, c == '"' || c == '\'');
      set(m.newline, c == '\n');
      set(m.dot, c == '.');
      set(m.slash, c == '/');
      set(m.exponent, (c | 32) == 'e');
      set(m.sign, c == '+' || c == '-');
      set(m.radix, (c | 32) == 'x' || (c | 32) == 'b' || (c | 32) == 'o');
      set(m.hole, c == '?');
      set(m.tail, (c & 0xC0) == 0x80);
    }
    masks[b] = m;
  }
}

ByteMasksFunction best_byte_masks() {
  switch (best_simd_level()) {
    case SimdLevel::Portable: return byte_masks_portable;
    case SimdLevel::Avx2: return byte_masks_avx2;
    case SimdLevel::Avx512: return byte_masks_avx512;
  }
  return byte_masks_portable;
}

}  // namespace komuz::frontend
