// SPDX-License-Identifier: Apache-2.0
// Hashes as text, since most readers of JSON have numbers of 53 bits. Not part of the engine's door.
#pragma once
#include <string>

#include "base/hash.h"

namespace komuz::engine {

// 16 digits.
inline std::string hex_text(u64 hash) {
  std::string digits(16, '0');
  for (size_t i = digits.size(); i-- > 0; hash >>= 4) digits[i] = "0123456789abcdef"[hash & 15];
  return digits;
}
// 32 digits.
inline std::string hex_text(const Hash128& hash) {
  return hex_text(hash.high) + hex_text(hash.low);
}

}  // namespace komuz::engine
