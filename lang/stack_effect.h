// SPDX-License-Identifier: Apache-2.0
// How checked code moves the height of the operand stack, for who walks it from one instruction to the next.
#pragma once
#include "lang/code.h"

namespace komuz {

// Cells that the next instruction in the code of `f` finds beyond those that `i` finds, or less than them. Behind a JUMP, which
// ends a first arm, they are those that the second arm finds.
[[nodiscard]] i32 stack_effect(const CodeView& code, const Function& f, Instruction i);

}  // namespace komuz
