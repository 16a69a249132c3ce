// SPDX-License-Identifier: Apache-2.0
// Puts an expression in the place of a window.
#pragma once
#include "lang/code.h"
#include "neural/teacher/expression.h"

namespace komuz::neural {

// Replaces instructions [begin, end) of a function, counted from its first, by the expression's code. Its places become
// that of the window's last instruction, where the value is made. Targets and the functions behind follow.
void replace_window(Code& code, u32 function, u32 begin, u32 end, const Expression& expression);

}  // namespace komuz::neural
