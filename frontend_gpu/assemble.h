// SPDX-License-Identifier: Apache-2.0
// The rows that stand beside the instructions: functions, their names, types and slots.
#pragma once
#include "frontend_gpu/columns.h"
#include "lang/code.h"

namespace komuz::frontend {

// Fills all of `code` but its instructions, places and constants. `functions_code` is the length of the region of
// functions; the entries of `traps` lie behind it and end at `all_code`.
void assemble_functions(const Columns& c, u32 functions_code, u32 all_code, Code& code);

}  // namespace komuz::frontend
