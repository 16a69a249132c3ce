// SPDX-License-Identifier: Apache-2.0
// The functions that C calls (c/c_layout.h).
#pragma once
#include "backend/c/c_layout.h"
#include "backend/ir/module_functions.h"

namespace komuz::backend::ir {

// Writes `symbol` and `symbol_rows`. Calls of the program's functions take `scratch_bytes` of scratch memory at most.
void write_c_functions(const ProgramModule& module, const CFunction& f, u64 scratch_bytes);

}  // namespace komuz::backend::ir
