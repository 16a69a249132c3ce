// SPDX-License-Identifier: Apache-2.0
// An entry with slices takes references, which cases cannot hold. Behind its code comes a function that takes lists in their
// place (slice_cases.h), refers to their elements, and calls the entry. The tick and the frame of that function do not show
// in outcomes.
#pragma once
#include <string>
#include <string_view>

#include "lang/cases.h"
#include "lang/code.h"

namespace komuz::engine {

// Appends that function for the entry to checked code, which then has been checked with it; `entry` becomes its number.
// `case_types` are the parameters as cases hold them, as one tuple. What is wrong with it, if anything is.
[[nodiscard]] std::string add_slice_entry(Code& code, u32& entry, std::string_view case_types,
                                          u32 stack_limit = kDefaultStackLimit);

// The budget with which it uses up the entry's.
[[nodiscard]] constexpr u64 slice_entry_fuel(u64 fuel) { return fuel + 1 == 0 ? fuel : fuel + 1; }

// Makes outcomes of that function, `entry`, those of what it calls.
void hide_slice_entry(const CodeView& code, u32 entry, const OutcomesView& outcomes);

}  // namespace komuz::engine
