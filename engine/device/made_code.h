// SPDX-License-Identifier: Apache-2.0
// What all device threads that make variants share: the outcomes of making one, the place for its code, and the
// counts.
#pragma once
#include "vm/cuda/lowering.h"

namespace komuz::engine {

enum class Made : u8 {
  Done,
  // The host makes variants with one of these outcomes:
  NoRoom,    // the variant exceeds the lists of a thread
  NoOutput,  // there is no room for its code
  Left,      // the variant has no program, or warp code cannot number its parts
};

// Counts that threads add to while they make variants.
struct MadeCounts {
  u64 ops, constants;  // demanded, whether or not there was room
  // Only for a stretch:
  u64 programs;   // new ones, which are done
  u64 no_room;    // variants that had none in a thread's lists
  u64 no_output;  // variants whose code found no room
  u64 left;
};

// Memory for warp code. The variants' code lies one behind the other, in any order.
struct CodeOutput {
  vm::WarpOp* ops;
  u32* places;  // of each operation
  u64* constants;
  u32 most_ops, most_constants;
  MadeCounts* counts;
};

// Counts a variant that is not Done.
template <class Machine>
HD void count_left(MadeCounts& counts, Made made, const Machine& machine) {
  const bool is_full = made == Made::NoOutput;
  machine.fetch_add(made == Made::NoRoom ? counts.no_room
                    : is_full            ? counts.no_output
                                         : counts.left,
                    1);
}

}  // namespace komuz::engine
