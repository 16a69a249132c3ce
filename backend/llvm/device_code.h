// SPDX-License-Identifier: Apache-2.0
// Code for GPUs: a module of PTX with a kernel for each program (docs/native.md). Functions are those of the host but
// for two things, and the host can run them as they are (Shape::for_device): a case has its budget as a whole, and
// recursion is a loop over frames.
#pragma once
#include <llvm/ADT/SmallVector.h>

#include <span>
#include <string>
#include <vector>

#include "backend/effort.h"
#include "backend/ir/flat_recursion.h"

namespace llvm {
class TargetMachine;
}

namespace komuz::backend {

// The most memory of its own that a case may take on a GPU, in bytes: arrays, frames, and what is in no register. A GPU
// keeps as much for each thread that it could run at a time.
inline constexpr u64 kMostLocal = 64u << 10;

struct DeviceProgram {
  CodeView code;
  u32 function;
  std::string symbol;
};

// Cycles become loops. Before that, variables become registers, if the effort is more than the least.
void flatten_cycles(llvm::Module& module, llvm::TargetMachine& machine, Effort effort,
                    const std::vector<ir::Cycle>& cycles);

// Empty if all is well; else why not, and of which program.
[[nodiscard]] std::string write_ptx(std::span<const DeviceProgram> programs,
                                    const std::string& target, Effort effort, Form form,
                                    llvm::SmallVector<char, 0>& bytes);

}  // namespace komuz::backend
