// SPDX-License-Identifier: Apache-2.0
// Which programs, and which behaviours, a device has seen: tables in its memory that all threads of a kernel put something
// into at once, without waiting for each other. Written over a machine, whose operations on a word are atomic; under test it is
// the host's (base/group/plain_machine.h).
#pragma once
#include "engine/scores/result_row.h"

namespace komuz::engine {

// A slot of the table of programs, which are known by the 128 bits of their identity.
struct KnownProgram {
  u64 low = 0, high = 0;            // zeros: none yet
  u32 row = kNone;                  // the smallest that came with it
  u32 place = kNone;                // in the list of the best; kNone: it is not among them
  Status status = Status::Refused;  // once it has run
  u32 found = kNone;                // … and where there is more about it; kNone: nowhere
};
static_assert(sizeof(KnownProgram) == 32);

// Open addressing, linear probing. There is always a free slot.
struct KnownPrograms {
  KnownProgram* slots;
  u64 mask;  // one less than a power of two of slots
};
struct ClaimedSlot {
  u32 slot;
  bool is_new;  // nobody came with this program before: who claimed it runs it
};

// The slot of a program. A slot belongs to who sets its upper half. Whoever else comes with the same lower half sees
// that, and goes on where the upper one is another, also if it was itself that set the lower one.
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

// Hashes; zero is one that is not put into it.
struct KnownHashes {
  u64* slots;
  u64 mask;
};
// False: it was there.
template <class Machine>
HD bool add_hash(const KnownHashes& known, u64 hash, const Machine& machine) {
  for (u64 at = hash & known.mask;; at = (at + 1) & known.mask) {
    const u64 before = machine.compare_exchange(known.slots[at], 0, hash);
    if (before == 0) return true;
    if (before == hash) return false;
  }
}

}  // namespace komuz::engine
