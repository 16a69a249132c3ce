// SPDX-License-Identifier: Apache-2.0
// A set of words: a bit for each number.
#pragma once
#include <bit>

#include "base/ints.h"

namespace komuz::neural {

struct WordSet {
  u64 bits[4] = {};

  [[nodiscard]] bool has(u8 word) const { return (bits[word / 64] >> (word % 64) & 1) != 0; }
  void add(u8 word) { bits[word / 64] |= u64{1} << (word % 64); }
  void remove(u8 word) { bits[word / 64] &= ~(u64{1} << (word % 64)); }
  void add(const WordSet& other) {
    for (u32 k = 0; k < 4; ++k) bits[k] |= other.bits[k];
  }
  void remove(const WordSet& other) {
    for (u32 k = 0; k < 4; ++k) bits[k] &= ~other.bits[k];
  }
  [[nodiscard]] bool has_any(const WordSet& other) const {
    u64 both = 0;
    for (u32 k = 0; k < 4; ++k) both |= bits[k] & other.bits[k];
    return both != 0;
  }
  [[nodiscard]] u32 count() const {
    u32 all = 0;
    for (const u64 word : bits) all += static_cast<u32>(std::popcount(word));
    return all;
  }
  // Calls act(word) for each, in rising order.
  template <class Act>
  void for_each(const Act& act) const {
    for (u32 k = 0; k < 4; ++k)
      for (u64 left = bits[k]; left != 0; left &= left - 1)
        act(static_cast<u8>(64 * k + static_cast<u32>(std::countr_zero(left))));
  }
  bool operator==(const WordSet&) const = default;
};

}  // namespace komuz::neural
