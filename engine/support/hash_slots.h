// SPDX-License-Identifier: Apache-2.0
// Open addressing for tables of millions of elements: a map from hashes to elements, and a set of hashes.
#pragma once
#include <algorithm>

#include "base/hash.h"
#include "base/ints.h"
#include "engine/support/large_memory.h"

namespace komuz::engine {

// For containers of the standard library whose keys are hashes.
struct Hashed {
  size_t operator()(const Hash128& hash) const { return hash.low; }
};

// An empty table for one that is full. The elements that are moved to it are written to nearly all of its pages.
template <class Slot>
[[nodiscard]] LargeArray<Slot> larger_table(size_t full) {
  constexpr size_t kFirst = 512;
  const size_t size = full == 0 ? kFirst : full * 2;
  LargeArray<Slot> table(size, Pages::Large);
  if (full != 0) table.make_pages(0, size);
  return table;
}

// Maps hashes to numbers of elements. A slot holds a part of the hash, so that an element itself is looked at only if
// that part is equal: a new element, the usual case, costs one access to memory outside of the cache. Linear probing,
// at most three quarters full, which takes 11 to 21 bytes for each element.
class HashSlots {
 public:
  HashSlots() = default;
  HashSlots(HashSlots&&) noexcept = default;
  HashSlots& operator=(HashSlots&&) noexcept = default;
  HashSlots(const HashSlots& other) : used_(other.used_) {
    if (other.slots_.size() == 0) return;
    slots_ = LargeArray<Slot>(other.slots_.size(), Pages::Large);
    std::copy_n(other.slots_.data(), slots_.size(), slots_.data());
  }
  HashSlots& operator=(const HashSlots& other) { return *this = HashSlots(other); }
  ~HashSlots() = default;

  // Allocates, so that the next insertion takes no memory.
  void make_room() {
    if ((used_ + 1) * 4 > slots_.size() * 3) grow();
  }
  // The number of the element with this hash for which `is_it` is true; otherwise `number`, which is inserted.
  template <class IsIt>
  u32 find_or_add(u64 hash, u32 number, const IsIt& is_it) {
    make_room();
    const u32 tag = tag_of(hash);
    size_t at = tag & mask();
    for (; !slots_[at].is_free(); at = (at + 1) & mask())
      if (slots_[at].tag == tag && is_it(slots_[at].behind - 1)) return slots_[at].behind - 1;
    slots_[at] = {tag, number + 1};
    ++used_;
    return number;
  }
  // Prefetches the memory that find_or_add() reads first for this hash.
  void prefetch(u64 hash) const {
    if (slots_.size() != 0) __builtin_prefetch(&slots_[tag_of(hash) & mask()]);
  }

 private:
  struct Slot {
    u32 tag;
    u32 behind;  // the number plus one
    [[nodiscard]] bool is_free() const { return behind == 0; }
  };
  static_assert(sizeof(Slot) == 8);

  // The part of a hash that is stored, and that decides the first slot.
  [[nodiscard]] static u32 tag_of(u64 hash) { return static_cast<u32>(hash); }
  [[nodiscard]] size_t mask() const { return slots_.size() - 1; }  // the size is a power of two

  void grow() {
    LargeArray<Slot> before = larger_table<Slot>(slots_.size());
    std::swap(before, slots_);
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i].is_free()) continue;
      size_t at = before[i].tag & mask();
      while (!slots_[at].is_free()) at = (at + 1) & mask();
      slots_[at] = before[i];
    }
  }

  LargeArray<Slot> slots_;
  size_t used_ = 0;
};

// A set of hashes, with as many bytes for each as HashSlots takes.
class HashSet {
 public:
  // Allocates, so that the next insertion takes no memory.
  void make_room() {
    if ((used_ + 1) * 4 > slots_.size() * 3) grow();
  }
  // False: the hash was there before.
  bool add(u64 hash) {
    if (hash == 0) return !std::exchange(has_zero_, true);  // 0 marks a free slot
    make_room();
    const size_t at = place_of(hash);
    if (slots_[at] == hash) return false;
    slots_[at] = hash;
    ++used_;
    return true;
  }
  [[nodiscard]] u64 size() const { return used_ + (has_zero_ ? 1 : 0); }
  // Prefetches the memory that add() reads first for this hash.
  void prefetch(u64 hash) const {
    if (slots_.size() != 0) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }

 private:
  // The slot that holds it, or would.
  [[nodiscard]] size_t place_of(u64 hash) const {
    const size_t mask = slots_.size() - 1;  // the size is a power of two
    size_t at = hash & mask;
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    LargeArray<u64> before = larger_table<u64>(slots_.size());
    std::swap(before, slots_);
    for (size_t i = 0; i < before.size(); ++i)
      if (before[i] != 0) slots_[place_of(before[i])] = before[i];
  }

  LargeArray<u64> slots_;
  size_t used_ = 0;
  bool has_zero_ = false;
};

}  // namespace komuz::engine
