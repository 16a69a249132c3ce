// SPDX-License-Identifier: Apache-2.0
// What was compiled to native code, in words. It depends on the clock, and is part of no report.
#pragma once
#include <string>

#include "engine/native/native_tier.h"

namespace komuz::services {

// Lines such as
//   native: 2 programs compiled in 0.013 s, 1 refused
//   native: 18,000 cases in 0.21 s, about 1.31 s on the virtual machine: 1.10 s gained, 1.09 s with the compiles
// and a line for each reason why something is not native.
[[nodiscard]] std::string native_text(const engine::NativeTier& tier);
// A line for each code that is native: its entry, and the cases that it has run.
[[nodiscard]] std::string native_rows(const engine::NativeTier& tier);

}  // namespace komuz::services
