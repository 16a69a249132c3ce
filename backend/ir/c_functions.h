// SPDX-License-Identifier: Apache-2.0
// The functions that C calls (c/c_layout.h).
#pragma once
#include "backend/c/c_layout.h"
#include "backend/ir/module_functions.h"

namespace komuz::backend::ir {

// Writes `symbol` and `symbol_rows`. Calls of the program's functions take `scratch_bytes` of scratch memory at most.
void write_c_functions(const ProgramModule& module, const CFunction& f, u64 scratch_bytes);

// How many cells of what C gives and takes its code moves one by one.
[[nodiscard]] u64 cells_alone(const CFunction& f);

// Empty if the functions for C have their names; else what has one of them. LLVM gives another name to what is
// written second.
[[nodiscard]] std::string name_taken(const llvm::Module& module, const CFunction& f);

}  // namespace komuz::backend::ir
