// SPDX-License-Identifier: Apache-2.0
// What is done to code before it is written for a machine.
#pragma once
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "backend/effort.h"

namespace komuz::backend {

// Registers for variables, in each function by itself.
void find_registers(llvm::Module& module, llvm::TargetMachine& machine);

// `for_device`: as GPUs run it (Shape::for_device), also where it is the host that does.
void optimise(llvm::Module& module, llvm::TargetMachine& machine, Effort effort, bool for_device);

}  // namespace komuz::backend
