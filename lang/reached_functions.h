// SPDX-License-Identifier: Apache-2.0
// The functions that an entry reaches by calls.
#pragma once
#include <vector>

#include "lang/code.h"

namespace komuz {

// Numbers of functions in the order of their first calls, the entry first: the same for code that differs only in how
// its functions are laid out, or in functions that are not called.
[[nodiscard]] std::vector<u32> reached_functions(const CodeView& code, u32 entry);

}  // namespace komuz
