// SPDX-License-Identifier: Apache-2.0
// The arguments of the error on a `match` that misses a value: a description of that value in two words. Either a
// word is for the outermost known cell and one for the innermost; or, for a flat tuple, a small word is for each of
// its values:
//
//   bit    31      30…16     14…0
//   a       1      first     second
//   b       0      third     fourth, 0 if the tuple has no such value
//   b       1      content of the first, content of the second: for a tuple of two, one of which has known content
#pragma once
#include "base/ints.h"

namespace komuz {

// Any: it does not matter, or no word describes it.
enum class CaseWord : u8 { None, Constructor, Bool, Number, Option, Any };

// For a constructor the byte of the source where it is defined, for a number the number; below 2^28.
[[nodiscard]] HD constexpr u32 case_word(CaseWord word, u32 value) {
  return static_cast<u32>(word) << 28 | value;
}
[[nodiscard]] HD constexpr CaseWord case_kind(u32 word) {
  return static_cast<CaseWord>(word >> 28);
}
[[nodiscard]] HD constexpr u32 case_value(u32 word) { return word & 0xFFF'FFFF; }

struct TupleCase {
  static constexpr u32 kMostValues = 4, kMostHolders = 2;
  u32 words[kMostValues] = {};  // None behind the last
  u32 held[kMostHolders] = {};  // None: nothing is known of it

  [[nodiscard]] HD static constexpr bool has_room_for(u32 word) {
    return case_value(word) < 1u << 12;
  }
  [[nodiscard]] HD constexpr u32 a() const { return 1u << 31 | pair(words[0], words[1]); }
  [[nodiscard]] HD constexpr u32 b() const {
    return (held[0] | held[1]) == 0 ? pair(words[2], words[3]) : 1u << 31 | pair(held[0], held[1]);
  }

  [[nodiscard]] static constexpr bool is_in(u32 a) { return a >> 31 != 0; }
  [[nodiscard]] static constexpr TupleCase of(u32 a, u32 b) {
    const u32 first = wide(a >> 16 & 0x7FFF), second = wide(a & 0x7FFF);
    const u32 third = wide(b >> 16 & 0x7FFF), fourth = wide(b & 0x7FFF);
    if (b >> 31 != 0) return {{first, second}, {third, fourth}};
    return {{first, second, third, fourth}};
  }

 private:
  [[nodiscard]] HD static constexpr u32 small(u32 word) {
    return word >> 28 << 12 | case_value(word);
  }
  [[nodiscard]] HD static constexpr u32 pair(u32 high, u32 low) {
    return small(high) << 16 | small(low);
  }
  [[nodiscard]] static constexpr u32 wide(u32 small) { return small >> 12 << 28 | (small & 0xFFF); }
};

}  // namespace komuz
