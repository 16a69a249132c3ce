// SPDX-License-Identifier: Apache-2.0
// The classes of one byte as bits, in the order of ByteMasks, for groups whose lanes look at one byte each.
#pragma once
#include "frontend_gpu/text/byte_masks.h"

namespace komuz::frontend {

inline constexpr u32 kByteClasses = sizeof(ByteMasks) / sizeof(u64);

constexpr u16 classes_of_byte(u8 c) {
  const bool classes[kByteClasses] = {
      is_word_byte(c),
      is_digit_byte(c),
      c == ' ' || c == '\t' || c == '\r' || c == '\n',
      is_join_byte(c),
      c == '"' || c == '\'',
      c == '\n',
      c == '.',
      c == '/',
      (c | 32) == 'e',
      c == '+' || c == '-',
      (c | 32) == 'x' || (c | 32) == 'b' || (c | 32) == 'o',
      c == '?',
      (c & 0xC0) == 0x80,
  };
  u32 bits = 0;
  for (u32 k = 0; k < kByteClasses; ++k) bits |= static_cast<u32>(classes[k]) << k;
  return static_cast<u16>(bits);
}

#define CLASSES_1(c) classes_of_byte(c)
#define CLASSES_4(c) CLASSES_1(c), CLASSES_1((c) + 1), CLASSES_1((c) + 2), CLASSES_1((c) + 3)
#define CLASSES_16(c) CLASSES_4(c), CLASSES_4((c) + 4), CLASSES_4((c) + 8), CLASSES_4((c) + 12)
#define CLASSES_64(c) \
  CLASSES_16(c), CLASSES_16((c) + 16), CLASSES_16((c) + 32), CLASSES_16((c) + 48)
HD_TABLE u16 kByteClassTable[256] = {CLASSES_64(0), CLASSES_64(64), CLASSES_64(128),
                                     CLASSES_64(192)};
#undef CLASSES_1
#undef CLASSES_4
#undef CLASSES_16
#undef CLASSES_64

HD constexpr const u16& known_classes(u8 c) { return kByteClassTable[c]; }

// Fills the masks of all blocks. Each lane of the group takes a byte.
template <class G>
HD void classify_bytes(G& g, const u8* source, u32 blocks, ByteMasks* masks) {
  g.template bit_planes<kByteClasses>(
      blocks, [&](u32 k) { return u32{known_classes(source[k])}; },
      [&](u32 block, u32 plane, u64 bits) { reinterpret_cast<u64*>(masks + block)[plane] = bits; });
}

}  // namespace komuz::frontend
