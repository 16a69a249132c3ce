// SPDX-License-Identifier: Apache-2.0
// Hashes names, eight bytes at a time.
#pragma once
#include <cstring>
#include <string_view>

#include "base/hash.h"

namespace komuz::frontend {

// The first min(length, 8) bytes at p as a number; 8 bytes are readable at p.
HD u64 load_text(const u8* p, u32 length) {
  u64 text;
  std::memcpy(&text, p, 8);
  const u32 drop = length >= 8 ? 0 : 64 - 8 * length;
  return text << drop >> drop;
}
// The bytes of a token as one word: the first eight as they are, later ones folded in. 8 bytes must be readable
// from each of its bytes on.
HD u64 text_key(const u8* p, u32 length) {
  u64 key = load_text(p, length);
  for (u32 k = 8; k < length; k += 8)
    key = fold_multiply(key ^ 0x9FB2'1C65'1E98'DF25u, load_text(p + k, length - k) + k);
  return key;
}
// The high bits depend on all of the text. The factor makes word_slot a perfect hash of the language's words.
HD u64 mix_text(u64 key) { return key * 0x88C7'80F6'907F'9669u; }
HD u32 name_hash(u64 mixed) { return static_cast<u32>(mixed >> 32 ^ mixed >> 53); }

inline u32 name_hash(std::string_view name) {
  u8 padded[72] = {};
  const size_t n = name.size() < 64 ? name.size() : 64;
  std::memcpy(padded, name.data(), n);
  return name_hash(mix_text(text_key(padded, static_cast<u32>(n))));
}

}  // namespace komuz::frontend
