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

// Open addressing with linear probing, at most three quarters full: 32 to 64 bytes an identity.
class IdentityTable {
 public:
  // The smallest row that has come with this identity, `row` included.
  u32 insert(const frontend::TextHash& identity, u32 row) {
    if ((used_ + 1) * 4 > slots_.size() * 3) grow();
    Slot& slot = find(identity);
    used_ += slot.row == kNone;
    slot = {identity, std::min(slot.row, row)};
    return slot.row;
  }
  // kNone where none has come.
  [[nodiscard]] u32 first(const frontend::TextHash& identity) {
    return slots_.empty() ? kNone : find(identity).row;
  }

 private:
  struct Slot {
    frontend::TextHash identity;
    u32 row = kNone;  // kNone: free
  };
  static_assert(sizeof(Slot) == 24);

  Slot& find(const frontend::TextHash& identity) {
    const size_t mask = slots_.size() - 1;  // the size is a power of two
    size_t at = identity.low & mask;
    while (slots_[at].row != kNone && !(slots_[at].identity == identity)) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 1024 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.row != kNone) find(slot.identity) = slot;
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

// The same, for several threads.
class SharedIdentities {
 public:
  u32 insert(const frontend::TextHash& identity, u32 row) {
    Part& part = part_of(identity);
    const std::lock_guard lock(part.mutex);
    return part.table.insert(identity, row);
  }
  [[nodiscard]] u32 first(const frontend::TextHash& identity) {
    Part& part = part_of(identity);
    const std::lock_guard lock(part.mutex);
    return part.table.first(identity);
  }

 private:
  struct Part {
    std::mutex mutex;
    IdentityTable table;
  };
  // By other bits than those that the table looks at.
  Part& part_of(const frontend::TextHash& identity) {
    return parts_[identity.high % parts_.size()];
  }

  std::array<Part, 16> parts_;
};

}  // namespace komuz::engine
