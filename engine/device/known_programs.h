// SPDX-License-Identifier: Apache-2.0
// The programs and behaviours that a device has seen: tables in its memory. All threads of a kernel insert at once,
// without waiting for each other. The code is written over a machine with atomic operations on words; tests use the
// host's (base/group/plain_machine.h).
#pragma once
#include "engine/scores/result_row.h"

namespace komuz::engine {

// A slot of the table of programs. The 128 bits of its identity are the key of a program.
struct KnownProgram {
  u64 low = 0, high = 0;            // zeros: none yet
  u32 row = kNone;                  // the smallest row that has the program
  u32 place = kNone;                // in the list of the best; kNone: not in the list
  Status status = Status::Refused;  // once it has run
  u32 found = kNone;                // where there is more about it; kNone: nowhere
};
static_assert(sizeof(KnownProgram) == 32);

// Open addressing with linear probing. There is always a free slot.
struct KnownPrograms {
  KnownProgram* slots;
  u64 mask;  // one less than a power of two of slots
};
struct ClaimedSlot {
  u32 slot;
  bool is_new;  // this thread claimed the program, and runs it
};

// Finds or claims the slot of a program. The thread that sets the upper half of the key owns the slot. Another thread
// with the same lower half reads the upper half and probes on if it differs, even if that thread had set the lower
// half itself.
template <class Machine>
HD ClaimedSlot claim(const KnownPrograms& known, u64 low, u64 high, u32 row,
                     const Machine& machine) {
  low += low == 0;
  high += high == 0;
  for (u64 at = low & known.mask;; at = (at + 1) & known.mask) {
    KnownProgram& slot = known.slots[at];
    const u64 low_before = machine.compare_exchange(slot.low, 0, low);
    if (low_before != 0 && low_before != low) continue;
    const u64 high_before = machine.compare_exchange(slot.high, 0, high);
    if (high_before != 0 && high_before != high) continue;
    machine.min_into(slot.row, row);
    return {static_cast<u32>(at), high_before == 0};
  }
}

// A table of hashes. Zero is never inserted.
struct KnownHashes {
  u64* slots;
  u64 mask;
};
// False: the hash was there before.
template <class Machine>
HD bool add_hash(const KnownHashes& known, u64 hash, const Machine& machine) {
  for (u64 at = hash & known.mask;; at = (at + 1) & known.mask) {
    const u64 before = machine.compare_exchange(known.slots[at], 0, hash);
    if (before == 0) return true;
    if (before == hash) return false;
  }
}

}  // namespace komuz::engine
