// SPDX-License-Identifier: Apache-2.0
// The effect of checked code on the height of the operand stack, for walks from one instruction to the next.
#pragma once
#include "lang/code.h"

namespace komuz {

// The height that the next instruction in the code of `f` finds, minus the height that `i` finds. Behind a JUMP,
// which ends a first arm, it is the height that the second arm finds.
[[nodiscard]] i32 stack_effect(const CodeView& code, const Function& f, Instruction i);

}  // namespace komuz
