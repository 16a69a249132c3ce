// SPDX-License-Identifier: Apache-2.0
// The kernel of a program for a GPU: rows of cases in columns → columns of outcomes (docs/native.md says how it is
// launched). Each thread runs one case: a loop over rows would keep registers for itself.
#pragma once
#include <string>

#include "backend/ir/ir_writer.h"

namespace komuz::backend::ir {

// What a kernel is made of.
struct KernelParts {
  std::string symbol;
  llvm::Function* run_case;  // of the entry (case_state.h)
  u32 results = 0;           // cells
  u32 place = 0;             // the first instruction of the entry
  u64 scratch_bytes = 0;     // what a case takes
};
void write_ptx_kernel(IrWriter& writer, const KernelParts& parts);

}  // namespace komuz::backend::ir
