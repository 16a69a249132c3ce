// SPDX-License-Identifier: Apache-2.0
// From a program's identity to the number of the first candidate that has it.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <thread>

#include "engine/results/results.h"
#include "engine/support/block_vector.h"
#include "engine/support/hash_slots.h"
#include "frontend_gpu/frontend.h"

namespace komuz::engine {

// 31 to 42 bytes an identity.
class IdentityTable {
 public:
  // The number of the identity, in the order in which they came. `row` is one that has it.
  u32 insert(const frontend::TextHash& identity, u32 row) {
    const u32 next = static_cast<u32>(entries_.size());
    entries_.make_room();  // no slot leads to an entry that there is no memory for
    const Entry own = {std::bit_cast<Words>(identity), row};
    const u32 entry = slots_.find_or_add(
        identity.low, next, [&](u32 known) { return entries_[known].identity == own.identity; });
    if (entry == next)
      entries_.push_back(own);
    else if (row < entries_[entry].row)
      std::atomic_ref(entries_[entry].row).store(row, std::memory_order_relaxed);
    return entry;
  }
  // The smallest row that has come with the identity of this number.
  [[nodiscard]] u32 row(u32 entry) const { return entries_[entry].row; }
  // Where that is said: it stays there, and may be read as an atomic while another thread inserts.
  [[nodiscard]] u32* row_place(u32 entry) { return &entries_[entry].row; }

 private:
  // As words, so that an entry has no gap.
  using Words = std::array<u32, 4>;
  struct Entry {
    Words identity;
    u32 row;
  };
  static_assert(sizeof(Entry) == 20 && sizeof(frontend::TextHash) == sizeof(Words));

  HashSlots slots_;
  BlockVector<Entry> entries_;
};

// From a behaviour to the first row that has it. The rows have the hashes.
class BehaviourTable {
 public:
  explicit BehaviourTable(const BlockVector<ResultRow>& rows) : rows_(rows) {}
  // The first row that has the behaviour of this one, which has been run.
  u32 insert(u32 row) {
    const u64 behaviour = rows_[row].behaviour;
    return slots_.find_or_add(behaviour, row,
                              [&](u32 known) { return rows_[known].behaviour == behaviour; });
  }
  void prefetch(u64 behaviour) const { slots_.prefetch(behaviour); }
  // The next one takes no memory.
  void make_room() { slots_.make_room(); }

 private:
  const BlockVector<ResultRow>& rows_;
  HashSlots slots_;
};

// Identities from several threads.
class SharedIdentities {
 public:
  // Where the smallest row that has come with an identity is said.
  using Place = u32*;
  struct Inserted {
    Place place;
    u32 first;  // the smallest row so far that has come with it
  };
  Inserted insert(const frontend::TextHash& identity, u32 row) {
    const u32 number =
        static_cast<u32>(identity.high % parts_.size());  // not what the table looks at
    Part& part = parts_[number];
    const std::lock_guard lock(part.mutex);
    const u32 entry = part.table.insert(identity, row);
    return {part.table.row_place(entry), part.table.row(entry)};
  }
  // The smallest row that has come with it so far: with those that came before it for sure.
  [[nodiscard]] static u32 first(Place place) {
    return std::atomic_ref(*place).load(std::memory_order_relaxed);
  }

 private:
  // It is held for a few accesses to memory: to sleep until it is free, and to be woken, would take far longer. Who
  // waits reads until it may be free, and lets others run where its holder seems not to be running.
  class ShortLock {
   public:
    void lock() {
      constexpr u32 kReads = 256;
      while (held_.test_and_set(std::memory_order_acquire))
        for (u32 k = 1; held_.test(std::memory_order_relaxed); ++k)
          if (k % kReads == 0) std::this_thread::yield();
    }
    void unlock() { held_.clear(std::memory_order_release); }

   private:
    std::atomic_flag held_;
  };
  // On lines of the cache of its own.
  struct alignas(64) Part {
    ShortLock mutex;
    IdentityTable table;
  };
  std::array<Part, 16> parts_;
};

}  // namespace komuz::engine
