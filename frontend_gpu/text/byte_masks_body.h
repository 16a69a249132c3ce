// SPDX-License-Identifier: Apache-2.0
// Classifies bytes on vectors. One source for each instruction set includes this file, so each compiles its own
// copy. The source first defines a type `Bytes` of 64 bytes in an unnamed namespace:
//
//   Bytes::load(p)          bytes p[0..64)
//   lower_case()            with bit 5 set: letters become small ones
//   equal(c)                bit k: byte k is c
//   in_range(first, count)  bit k: byte k is one of `count` from `first` on
//   is_join()               bit k: byte k is one of ByteMasks::join, by kLowSets and kHighBits
//   is_tail()               bit k: byte k is 0x80..0xBF
#pragma once
#include "frontend_gpu/text/byte_masks.h"

namespace komuz::frontend {

// The sets of `join` bytes that have a given low nibble: bit 0 for 0x2_, bit 1 for 0x3_, bit 2 for 0x5_, bit 3 for
// 0x7_; and the bit for a high nibble. A byte is a `join` byte if its two nibbles share a bit.
inline constexpr u8 kLowSets[16] = {0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 10, 3, 7, 1};
inline constexpr u8 kHighBits[16] = {0, 0, 1, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0};

template <class Bytes>
void fill_byte_masks(const u8* bytes, u32 blocks, ByteMasks* masks) {
  for (u32 b = 0; b < blocks; ++b) {
    const Bytes c = Bytes::load(bytes + 64 * static_cast<size_t>(b));
    const Bytes lower = c.lower_case();
    const u64 digit = c.in_range('0', 10), newline = c.equal('\n');
    masks[b] = {
        .word = digit | lower.in_range('a', 26) | c.equal('_'),
        .digit = digit,
        .blank = c.equal(' ') | c.equal('\t') | c.equal('\r') | newline,
        .join = c.is_join(),
        .quote = c.equal('"') | c.equal('\''),
        .newline = newline,
        .dot = c.equal('.'),
        .slash = c.equal('/'),
        .exponent = lower.equal('e'),
        .sign = c.equal('+') | c.equal('-'),
        .radix = lower.equal('b') | lower.equal('o') | lower.equal('x'),
        .hole = c.equal('?'),
        .tail = c.is_tail(),
    };
  }
}

}  // namespace komuz::frontend
