// SPDX-License-Identifier: Apache-2.0
// From a program's identity to the number of the first candidate that has it.
#pragma once
#include <vector>

#include "engine/results.h"
#include "frontend_gpu/frontend.h"

namespace komuz::engine {

// Open addressing with linear probing, at most three quarters full: 32 to 64 bytes an identity.
class IdentityTable {
 public:
  // The row that came first with this identity: `row` itself if it is new.
  u32 insert(const frontend::TextHash& identity, u32 row) {
    if ((used_ + 1) * 4 > slots_.size() * 3) grow();
    Slot& slot = find(identity);
    if (slot.row != kNone) return slot.row;
    slot = {identity, row};
    ++used_;
    return row;
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

}  // namespace komuz::engine
