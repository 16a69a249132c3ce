// SPDX-License-Identifier: Apache-2.0
// A 128-bit hash of a sequence of 64-bit words, for identities of texts and code. It is not cryptographic.
#pragma once
#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/ints.h"

namespace komuz {

__extension__ typedef unsigned __int128 u128;

// Both halves of a 128-bit product.
struct WideProduct {
  u64 low, high;
};
HD WideProduct multiply_wide(u64 a, u64 b) {
#ifdef __CUDA_ARCH__
  return {a * b, __umul64hi(a, b)};
#else
  const u128 product = static_cast<u128>(a) * b;
  return {static_cast<u64>(product), static_cast<u64>(product >> 64)};
#endif
}

// Multiply-and-fold, as in wyhash (Wang Yi, 2019): the two halves of the 128-bit product, xor'ed.
HD u64 fold_multiply(u64 a, u64 b) {
  const WideProduct product = multiply_wide(a, b);
  return product.low ^ product.high;
}

struct Hash128 {
  u64 low = 0x9E37'79B9'7F4A'7C15u;
  u64 high = 0xD1B5'4A32'D192'ED03u;

  HD void add(u64 word) {
    low = fold_multiply(low ^ word, 0xA076'1D64'78BD'642Fu);
    high = fold_multiply(high + word, 0xE703'7ED1'A0B4'28DBu) ^ low;
  }
  bool operator==(const Hash128&) const = default;
};

// Adds a text with its length, so that two texts in a row cannot be confused with two others that are cut
// elsewhere.
inline void add_text(Hash128& hash, std::string_view text) {
  hash.add(text.size());
  for (size_t at = 0; at < text.size(); at += sizeof(u64)) {
    u64 word = 0;
    std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
    hash.add(word);
  }
}

}  // namespace komuz
