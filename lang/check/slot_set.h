// SPDX-License-Identifier: Apache-2.0
// A set of slots of one function. Whether a range contains a slot of the set takes a number of steps that does not
// depend on the range: there is a bit for each slot and, above these, a bit for each word of bits that is not 0.
// Written over a Storage (base/rows.h).
#pragma once
#include "base/rows.h"

namespace komuz {

template <class Storage>
class SlotSet {
 public:
  SlotSet() = default;
  // For sets of slots below `slots`.
  HD SlotSet(RowsMemory& memory, u32 slots)
      : bits_(memory.take<u64>(words_of(slots))),
        words_(memory.take<u64>(words_of(words_of(slots)))) {}
  [[nodiscard]] static size_t bytes(u32 slots) {
    return RowsMemory::bytes<u64>(words_of(slots)) +
           RowsMemory::bytes<u64>(words_of(words_of(slots)));
  }

  // The empty set, of slots below `slots`. False: it has no room.
  [[nodiscard]] HD bool start(u32 slots) {
    bits_.clear();
    words_.clear();
    return make_long(bits_, words_of(slots)) && make_long(words_, words_of(words_of(slots)));
  }
  HD void insert(u32 slot) {
    bits_[slot / 64] |= bit(slot);
    words_[slot / 64 / 64] |= bit(slot / 64);
  }
  HD void erase(u32 slot) {
    u64& word = bits_[slot / 64];
    word &= ~bit(slot);
    if (word == 0) words_[slot / 64 / 64] &= ~bit(slot / 64);
  }
  // True if one of [begin, end) is in the set. Slots are below 65,536, so there are at most 16 words above the bits.
  [[nodiscard]] HD bool has_any(u32 begin, u32 end) const {
    if (begin / 64 == end / 64) return (bits_[begin / 64] & from(begin) & ~from(end)) != 0;
    return (bits_[begin / 64] & from(begin)) != 0 || (bits_[end / 64] & ~from(end)) != 0 ||
           has_any_word(begin / 64 + 1, end / 64);
  }

 private:
  HD static u32 words_of(u32 bits) { return bits / 64 + 1; }
  HD static u64 bit(u32 number) { return u64{1} << (number % 64); }
  // The bits of a word from the bit for `number` on.
  HD static u64 from(u32 number) { return ~u64{0} << (number % 64); }

  [[nodiscard]] HD bool has_any_word(u32 begin, u32 end) const {
    u64 any = 0;
    for (u32 k = begin / 64; k <= end / 64; ++k) {
      u64 word = words_[k];
      if (k == begin / 64) word &= from(begin);
      if (k == end / 64) word &= ~from(end);
      any |= word;
    }
    return any != 0;
  }

  typename Storage::template List<u64> bits_, words_;
};

}  // namespace komuz
