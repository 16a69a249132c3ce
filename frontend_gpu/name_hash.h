// SPDX-License-Identifier: Apache-2.0
// Hashes of names, by eight bytes at a time.
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
// 8 bytes must be readable from every byte of the name.
HD u32 name_hash(const u8* p, u32 length) {
  u64 hash =
      fold_multiply(load_text(p, length) ^ 0x2D35'8DCC'AA6C'78A5u, 0x8BB8'4B93'962E'ACC9u ^ length);
  for (u32 k = 8; k < length; k += 8)
    hash = fold_multiply(hash ^ load_text(p + k, length - k), 0x4B33'A62E'D433'D4A3u);
  return static_cast<u32>(hash ^ hash >> 32);
}
inline u32 name_hash(std::string_view name) {
  u8 padded[72] = {};
  const size_t n = name.size() < 64 ? name.size() : 64;
  std::memcpy(padded, name.data(), n);
  return name_hash(padded, static_cast<u32>(n));
}

}  // namespace komuz::frontend
