// SPDX-License-Identifier: Apache-2.0
// Is the code of two functions the same, whatever their programs call things and where they put them?
#pragma once
#include "lang/code.h"

namespace komuz::neural {

// True if all instructions, constants, frames and types of the two checked functions and of all that they call are
// equal in the order of calls. Names, places in the source, and numbers of functions and constants do not matter.
[[nodiscard]] bool is_same_code(const CodeView& a, u32 a_function, const CodeView& b,
                                u32 b_function);

}  // namespace komuz::neural
