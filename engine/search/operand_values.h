// SPDX-License-Identifier: Apache-2.0
// The values that operations of a formula take, on rows.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "lang/code.h"

namespace komuz::engine {

// For each wanted instruction of `function`, a straight line of operations whose parameters are f64: its place in the
// code, and the cells of its last operand with the traps on their way. `points`: a column for each parameter. Nothing
// for other code.
void visit_operands(
    const CodeView& code, u32 function, std::span<const std::vector<f64>> points,
    const std::function<bool(Instruction)>& is_wanted,
    const std::function<void(u32, std::span<const u64>, std::span<const Trap>)>& visit);

}  // namespace komuz::engine
