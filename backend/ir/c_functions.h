// SPDX-License-Identifier: Apache-2.0
// The functions that C calls (c/c_layout.h).
#pragma once
#include <span>

#include "backend/c/c_layout.h"
#include "backend/ir/module_functions.h"
#include "backend/source_map.h"

namespace llvm {
class GlobalVariable;
}

namespace komuz::backend::ir {

// The places of all instructions as a table of the module; null where none are known.
[[nodiscard]] llvm::GlobalVariable* write_place_table(const ProgramModule& module,
                                                      std::span<const SourcePlace> places);

// Writes `symbol`, `symbol_rows` and, if it is asked for, `symbol_within`. Calls of the program's functions take `scratch_bytes` of scratch
// memory at most. `places`: the table of places, or null.
void write_c_functions(const ProgramModule& module, const CFunction& f, u64 scratch_bytes,
                       llvm::GlobalVariable* places);

// How many cells of what C gives and takes its code moves one by one.
[[nodiscard]] u64 cells_alone(const CFunction& f);

// Empty if the functions for C have their names; else what has one of them. LLVM gives another name to what is
// written second.
[[nodiscard]] std::string name_taken(const llvm::Module& module, const CFunction& f);

}  // namespace komuz::backend::ir
