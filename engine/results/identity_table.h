// SPDX-License-Identifier: Apache-2.0
// Maps a program's identity to the number of the first candidate that has it.
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

// Takes 31 to 42 bytes for each identity.
class IdentityTable {
 public:
  // The number of the identity, in order of first appearance. `row` is a row that has it.
  u32 insert(const frontend::TextHash& identity, u32 row) {
    const u32 next = static_cast<u32>(entries_.size());
    entries_.make_room();  // done first, so that no slot leads to an entry without memory
    const Entry own = {std::bit_cast<Words>(identity), row};
    const u32 entry = slots_.find_or_add(
        identity.low, next, [&](u32 known) { return entries_[known].identity == own.identity; });
    if (entry == next)
      entries_.push_back(own);
    else if (row < entries_[entry].row)
      std::atomic_ref(entries_[entry].row).store(row, std::memory_order_relaxed);
    return entry;
  }
  // The smallest row that came with the identity of this number.
  [[nodiscard]] u32 row(u32 entry) const { return entries_[entry].row; }
  // The place where that row is stored. The place stays, and may be read as an atomic while another thread inserts.
  [[nodiscard]] u32* row_place(u32 entry) { return &entries_[entry].row; }

 private:
  // Stored as words, so that an entry has no gap.
  using Words = std::array<u32, 4>;
  struct Entry {
    Words identity;
    u32 row;
  };
  static_assert(sizeof(Entry) == 20 && sizeof(frontend::TextHash) == sizeof(Words));

  HashSlots slots_;
  BlockVector<Entry> entries_;
};

// Maps a behaviour to the first row that has it. The hashes are in the rows.
class BehaviourTable {
 public:
  explicit BehaviourTable(const BlockVector<ResultRow>& rows) : rows_(rows) {}
  // The first row with the behaviour of this one, which has been run.
  u32 insert(u32 row) {
    const u64 behaviour = rows_[row].behaviour;
    return slots_.find_or_add(behaviour, row,
                              [&](u32 known) { return rows_[known].behaviour == behaviour; });
  }
  void prefetch(u64 behaviour) const { slots_.prefetch(behaviour); }
  // Allocates, so that the next insertion takes no memory.
  void make_room() { slots_.make_room(); }

 private:
  const BlockVector<ResultRow>& rows_;
  HashSlots slots_;
};

// A table of identities for several threads.
class SharedIdentities {
 public:
  // One thread has no use for parts, of which each takes pages of its own.
  explicit SharedIdentities(u32 threads) : used_parts_(threads == 1 ? 1 : kParts) {}

  // Where the smallest row that came with an identity is stored.
  using Place = u32*;
  struct Inserted {
    Place place;
    u32 first;  // the smallest row so far that has it
  };
  Inserted insert(const frontend::TextHash& identity, u32 row) {
    const u32 number =
        static_cast<u32>(identity.high & (used_parts_ - 1));  // the table looks at other bits
    Part& part = parts_[number];
    const std::lock_guard lock(part.mutex);
    const u32 entry = part.table.insert(identity, row);
    return {part.table.row_place(entry), part.table.row(entry)};
  }
  // The smallest row with the identity so far. Rows that came before the caller's are certainly included.
  [[nodiscard]] static u32 first(Place place) {
    return std::atomic_ref(*place).load(std::memory_order_relaxed);
  }

 private:
  // The lock is held for a few accesses to memory. Sleeping until it is free, and being woken, would take far longer.
  // So a waiting thread reads until the lock may be free, and yields the processor if the holder does not seem to
  // run.
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
  // On cache lines of its own.
  struct alignas(64) Part {
    ShortLock mutex;
    IdentityTable table;
  };
  static constexpr u32 kParts = 16;  // a power of two
  u32 used_parts_;
  std::array<Part, kParts> parts_;
};

}  // namespace komuz::engine
