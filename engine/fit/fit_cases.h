// SPDX-License-Identifier: Apache-2.0
// Rows of numbers as cases: inputs are parameters by name, and the target is what is expected.
#pragma once
#include <span>

#include "engine/cases/cases_table.h"
#include "engine/fit/fit_data.h"

namespace komuz::engine {

// The rows with these numbers, in this order; numbers to the bit.
[[nodiscard]] CasesTable cases_of(const FitData& data, std::span<const u32> rows);

}  // namespace komuz::engine
