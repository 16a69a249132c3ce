// SPDX-License-Identifier: Apache-2.0
// Counts the instructions of runs, to compare two codes of one program.
#pragma once
#include "vm/vm.h"

namespace komuz::vm {

// The instructions that the reference executes, summed over all cases.
[[nodiscard]] u64 count_instructions(const Job& job);

}  // namespace komuz::vm
