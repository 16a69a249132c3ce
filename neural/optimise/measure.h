// SPDX-License-Identifier: Apache-2.0
// How long runs of a function take on the virtual machine, and runs of the function that took its place. It depends on
// the clock and on the machine, and is part of no report.
#pragma once
#include "neural/optimise/optimise.h"

namespace komuz::neural {

struct MeasuredRuns {
  f64 before_ns = 0, after_ns = 0;  // of one case; 0: nothing was measured
};

// Both run in turn on the same guided inputs, for about so many seconds in all; the shortest time of the processor that each took
// counts. As
// count_executed() otherwise.
[[nodiscard]] MeasuredRuns measure_runs(const CodeView& code, const CodeView& optimised,
                                        u32 function, u64 seed, u64 ticks, f64 seconds);

}  // namespace komuz::neural
