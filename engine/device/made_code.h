// SPDX-License-Identifier: Apache-2.0
// What the threads of a device that make variants have in common: how each ends, where its code goes, and what is counted.
#pragma once
#include "vm/cuda/lowering.h"

namespace komuz::engine {

enum class Made : u8 {
  Done,
  // To the host:
  NoRoom,    // it has more than the thread's lists can hold
  NoOutput,  // there is no room for its code
  Left,      // it is none, or warp code cannot number what it has
};

// What threads count while they make variants.
struct MadeCounts {
  u64 ops, constants;  // that there was room for, or not
  // Of a stretch:
  u64 programs;   // new ones, which are done
  u64 no_room;    // variants that had none in a thread's lists
  u64 no_output;  // … whose code had none
  u64 left;
};

// Where threads put warp code, of one variant behind the other in any order.
struct CodeOutput {
  vm::WarpOp* ops;
  u32* places;  // of each operation
  u64* constants;
  u32 most_ops, most_constants;
  MadeCounts* counts;
};

// A variant that is not Done.
template <class Machine>
HD void count_left(MadeCounts& counts, Made made, const Machine& machine) {
  const bool is_full = made == Made::NoOutput;
  machine.fetch_add(made == Made::NoRoom ? counts.no_room
                    : is_full            ? counts.no_output
                                         : counts.left,
                    1);
}

}  // namespace komuz::engine
