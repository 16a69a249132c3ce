// SPDX-License-Identifier: Apache-2.0
// How many instructions runs take, for who compares two codes of one program.
#pragma once
#include "vm/vm.h"

namespace komuz::vm {

// Those that the reference executes, of all cases together.
[[nodiscard]] u64 count_instructions(const Job& job);

}  // namespace komuz::vm
