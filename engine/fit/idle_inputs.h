// SPDX-License-Identifier: Apache-2.0
// Inputs that no formula can make use of whose units are sound: in no product of powers of the inputs that has the unit
// of the target, or none, do they stand.
#pragma once
#include <vector>

#include "engine/fit/fit_data.h"

namespace komuz::engine {

// The numbers of such inputs, in order. `data`: with units.
[[nodiscard]] std::vector<u32> idle_inputs(const FitData& data);

}  // namespace komuz::engine
