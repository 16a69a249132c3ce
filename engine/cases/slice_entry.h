// SPDX-License-Identifier: Apache-2.0
// An entry with slices takes references, which cases cannot hold. A function behind the entry's code takes lists
// instead (slice_cases.h), refers to their elements, and calls the entry. Outcomes do not show the tick and the frame
// of that function.
#pragma once
#include <string>
#include <string_view>

#include "lang/cases.h"
#include "lang/code.h"

namespace komuz::engine {

// Appends that function to checked code and checks it; `entry` becomes its number. `case_types` are the parameters as
// cases hold them, as one tuple. Returns the fault, if there is one.
[[nodiscard]] std::string add_slice_entry(Code& code, u32& entry, std::string_view case_types,
                                          u32 stack_limit = kDefaultStackLimit);

// The fuel for the added function that leaves the entry `fuel`.
[[nodiscard]] constexpr u64 slice_entry_fuel(u64 fuel) { return fuel + 1 == 0 ? fuel : fuel + 1; }

// Changes outcomes of that function, `entry`, into those of the function that it calls.
void hide_slice_entry(const CodeView& code, u32 entry, const OutcomesView& outcomes);

}  // namespace komuz::engine
