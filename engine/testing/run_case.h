// SPDX-License-Identifier: Apache-2.0
// Runs a job of one case on the machine that is faster for it.
#pragma once
#include "engine/native/native_tier.h"
#include "vm/vm.h"

namespace komuz::engine {

// The ticks that a case has on the reference machine, which starts at once. A case that takes more starts again on
// the batch machine, which is far faster in loops but first lowers the code, for about as long as these ticks take.
inline constexpr u64 kReferenceTicks = 1u << 10;

// The outcomes are those that either machine gives with the whole budget. `native`: makes native code of cases that
// run long; null: nobody does.
void run_case(const vm::Job& job, OutcomesView out, NativeTier* native = nullptr);

}  // namespace komuz::engine
