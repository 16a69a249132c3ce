// SPDX-License-Identifier: Apache-2.0
// What is asked of the backend besides code.
#pragma once
#include "base/ints.h"

namespace komuz::backend {

// How much is done for the speed of code. The outcomes are the same.
enum class Effort : u8 {
  Quick,   // no passes, and the fast generator of code
  Normal,  // the passes that pay for themselves soonest
  Full,    // all passes of -O2
};

// For how many cases at a time: a number of kLanes. `for_device`: for one, as GPUs run it (emit_ptx): recursion is a
// loop over frames, and nothing stops a case but its budget. Functions for C are for one case at a time, on the host:
// both other combinations are refused.
struct Shape {
  u32 lanes = 1;
  bool for_device = false;
};
inline constexpr u32 kLanes[] = {1, 8, 16, 32};

// In what form code is written.
enum class Form : u8 {
  Object,    // an ELF object file
  Ir,        // LLVM's intermediate representation, as text
  Assembly,  // of the processor, as text
};

}  // namespace komuz::backend
