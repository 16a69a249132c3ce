// SPDX-License-Identifier: Apache-2.0
// A job of one case, on the machine that is the faster one for it.
#pragma once
#include "vm/vm.h"

namespace komuz::engine {

// Ticks that a case has on the reference machine, which starts at once. One that takes more starts again on the batch
// machine, which is faster by far in loops, but has to lower the code first: about as long as these ticks take.
inline constexpr u64 kReferenceTicks = 1u << 10;

// The outcomes are those of either machine with the whole budget.
void run_case(const vm::Job& job, OutcomesView out);

}  // namespace komuz::engine
