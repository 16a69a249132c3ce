// SPDX-License-Identifier: Apache-2.0
// From a program's identity to the number of the first candidate that has it.
#pragma once
#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include "engine/results.h"
#include "frontend_gpu/frontend.h"

namespace komuz::engine {

// Open addressing with linear probing, at most three quarters full. A slot has a part of the identity, so that the others
// are looked at only where it is equal: a new identity, as most are, costs one access to memory that is not at hand.
// 35 to 70 bytes an identity.
class IdentityTable {
 public:
  // The number of the identity, in the order in which they came. `row` is one that has it.
  u32 insert(const frontend::TextHash& identity, u32 row) {
    if ((entries_.size() + 1) * 4 > slots_.size() * 3) grow();
    const u32 tag = tag_of(identity);
    size_t at = first_place(identity);
    for (; slots_[at].entry != kNone; at = next(at)) {
      if (slots_[at].tag != tag) continue;
      Entry& entry = entries_[slots_[at].entry];
      if (!(entry.identity == identity)) continue;
      entry.row = std::min(entry.row, row);
      return slots_[at].entry;
    }
    slots_[at] = {tag, static_cast<u32>(entries_.size())};
    entries_.push_back({identity, row});
    return slots_[at].entry;
  }
  // The smallest row that has come with the identity of this number.
  [[nodiscard]] u32 row(u32 entry) const { return entries_[entry].row; }

 private:
  struct Entry {
    frontend::TextHash identity;
    u32 row;
  };
  struct Slot {
    u32 tag = 0;
    u32 entry = kNone;  // kNone: free
  };
  static_assert(sizeof(Entry) == 24 && sizeof(Slot) == 8);

  // Where a slot is sought, and the part of the identity that it has: different bits.
  [[nodiscard]] size_t first_place(const frontend::TextHash& identity) const {
    return identity.low & mask();
  }
  [[nodiscard]] static u32 tag_of(const frontend::TextHash& identity) {
    return static_cast<u32>(identity.low >> 32);
  }
  [[nodiscard]] size_t mask() const { return slots_.size() - 1; }  // the size is a power of two
  [[nodiscard]] size_t next(size_t at) const { return (at + 1) & mask(); }

  void grow() {
    slots_.assign(slots_.empty() ? 1024 : slots_.size() * 2, {});
    for (u32 entry = 0; entry < entries_.size(); ++entry) {
      const frontend::TextHash& identity = entries_[entry].identity;
      size_t at = first_place(identity);
      while (slots_[at].entry != kNone) at = next(at);
      slots_[at] = {tag_of(identity), entry};
    }
  }

  std::vector<Slot> slots_;
  std::vector<Entry> entries_;
};

// The same, for several threads.
class SharedIdentities {
 public:
  // Where an identity is.
  struct Place {
    u32 part = 0;
    u32 entry = kNone;
  };
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
    return {{number, entry}, part.table.row(entry)};
  }
  // The smallest row that has come with it. Not while others insert.
  [[nodiscard]] u32 first(Place place) const { return parts_[place.part].table.row(place.entry); }

 private:
  struct Part {
    std::mutex mutex;
    IdentityTable table;
  };
  std::array<Part, 16> parts_;
};

}  // namespace komuz::engine
