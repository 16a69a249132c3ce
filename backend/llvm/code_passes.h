// SPDX-License-Identifier: Apache-2.0
// LLVM's generator of code.
#pragma once
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace komuz::backend {

// Adds what writes code for the machine to `out`. Of what LLVM has for GPUs, passes are left out that do nothing for
// kernels, or what ptxas does again. False: there is no such kind of file for the machine.
[[nodiscard]] bool add_code_passes(llvm::TargetMachine& machine, llvm::legacy::PassManager& passes,
                                   llvm::raw_pwrite_stream& out, llvm::CodeGenFileType kind);

}  // namespace komuz::backend
