// SPDX-License-Identifier: Apache-2.0
// Sorts bytes into classes: one bit for a byte, 64 bytes in a word. Only this part of lexing looks at all bytes one
// by one.
#pragma once
#include "base/ints.h"

namespace komuz::frontend {

struct ByteMasks {
  u64 word;      // A-Z a-z 0-9 _
  u64 digit;     // 0-9
  u64 blank;     // space, tab, carriage return, line feed
  u64 join;      // bytes that operators of several bytes are made of: ! % & * + - . / < = > ^ |
  u64 quote;     // " '
  u64 newline;   // line feed
  u64 dot;       // .
  u64 slash;     // /
  u64 exponent;  // e E
  u64 sign;      // + -
  u64 radix;     // b B o O x X
  u64 hole;      // ?
  u64 tail;      // 0x80..0xBF: the second and later bytes of a character beyond ASCII
};

// Fills masks[0..blocks) for 64 · blocks bytes.
using ByteMasksFunction = void (*)(const u8* bytes, u32 blocks, ByteMasks* masks);
void byte_masks_portable(const u8* bytes, u32 blocks, ByteMasks* masks);
void byte_masks_avx2(const u8* bytes, u32 blocks, ByteMasks* masks);
void byte_masks_avx512(const u8* bytes, u32 blocks, ByteMasks* masks);
// The best function for this processor.
[[nodiscard]] ByteMasksFunction best_byte_masks();

// The class of one byte, where a pass looks beyond the edge of a block.
HD constexpr bool is_digit_byte(u8 c) { return static_cast<u8>(c - '0') < 10; }
HD constexpr bool is_word_byte(u8 c) {
  return is_digit_byte(c) || static_cast<u8>((c | 32) - 'a') < 26 || c == '_';
}
HD constexpr bool is_join_byte(u8 c) {
  switch (c) {
    case '!':
    case '%':
    case '&':
    case '*':
    case '+':
    case '-':
    case '.':
    case '/':
    case '<':
    case '=':
    case '>':
    case '^':
    case '|': return true;
    default: return false;
  }
}

}  // namespace komuz::frontend
