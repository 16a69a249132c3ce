// SPDX-License-Identifier: Apache-2.0
// Lowers checked bytecode to warp code (warp_code.h), for one entry, on the host. lowering.h has the algorithm.
#pragma once
#include <vector>

#include "vm/cuda/lowering.h"
#include "vm/cuda/result_types.h"

namespace komuz::vm {

// Programs of a batch, one behind the other. `clear` keeps the memory.
struct WarpBatch {
  std::vector<WarpProgram> programs;
  std::vector<WarpOp> ops;
  std::vector<u32> places;  // of each operation: its instruction
  std::vector<u64> constants;
  std::vector<u8> types;  // Scalar

  void clear();
  // Adds program `number` of another batch.
  void append(const WarpBatch& from, u32 number);
};

// The scalars of the results of all functions; those of function f begin at begins[f].
struct ResultTypes {
  std::vector<u8> types;
  std::vector<u32> begins;
};

// Reused for one program after the other, so that it stops allocating.
class WarpLowering {
 public:
  // Appends `function` and all that it calls. False, with nothing appended, if a frame has more cells, or a program
  // more waiting places, than the fields of warp code can number. Such a program runs only on the machines of the
  // host.
  [[nodiscard]] bool add(const CodeView& code, u32 function, WarpBatch& batch);

 private:
  Lowering<Growing> lowering_;
  ResultTypes results_;
};

}  // namespace komuz::vm
