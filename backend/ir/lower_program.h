// SPDX-License-Identifier: Apache-2.0
// Checked bytecode → LLVM's intermediate representation, for one case at a time or for many. Each function of the program that the
// entry reaches becomes a function of the module; a RunCase (case_state.h) calls the entry.
//
// A function gives the ticks that are left, or −1 if the case has trapped; how it trapped, and what was left then, is in
// the CaseState. Each caller on the way out adds one to the depth. So ticks are counted in a register, and what a trap
// needs is all in blocks that are hardly ever run.
#pragma once
#include <span>
#include <string>

#include "backend/c/c_layout.h"
#include "backend/ir/frame_plan.h"
#include "backend/ir/ir_writer.h"
#include "backend/source_map.h"

namespace komuz::backend::ir {

// Writes the functions, and the RunCase of the first entry under the name `symbol`; empty: none. For each function of
// C, the functions that C calls, and a RunCase with `_case` behind its symbol. `places`: those of all instructions,
// which C is told where a call traps; none: they are not known. `scratch_bytes`: what calls take. Gives
// the functions of the module by their numbers, null for those that no entry reaches.
std::vector<llvm::Function*> lower_program(IrWriter& writer, const CodeView& code,
                                           const ProgramPlan& plan, const std::string& symbol,
                                           std::span<const CFunction> c_functions,
                                           std::span<const SourcePlace> places, u64 scratch_bytes);

// The same for many cases at a time, as many as the writer has lanes, with a RunLanes. The plan is one for lanes.
void lower_lanes(IrWriter& writer, const CodeView& code, const ProgramPlan& plan,
                 const std::string& symbol);

// Writes a kernel, for others to call.
void write_kernel(IrWriter& writer, const Kernel& kernel);

// Marks functions of code for many cases, and what they call: they have the same registers.
void mark_lanes(llvm::Function& function);

// The name of a function in the module.
[[nodiscard]] std::string function_symbol(const CodeView& code, u32 function);

}  // namespace komuz::backend::ir
