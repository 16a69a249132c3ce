// SPDX-License-Identifier: Apache-2.0
// Types for cases that come without a signature: of what a column holds, the narrowest one that a program can compute with.
#pragma once
#include <string>

#include "engine/cases/cases_table.h"

namespace komuz::engine {

// The type of a column as it is written: bool, i64, u64, f64, Bytes[n], or a List[…, n] of one of these or of lists, n being the
// most that there are in any row. Integers are f64 where a row has a fraction. Empty: rows do not agree, or hold what has a
// type of its own name.
// `odd_row`: becomes the first row that no type fits together with those above it.
// Where the watch asks for a stop, what it gives does not matter.
[[nodiscard]] std::string column_type(const CasesTable& table, size_t column,
                                      u32* odd_row = nullptr, const Watch& watch = Watch());
// The same of what is expected; empty also where all cases expect traps.
[[nodiscard]] std::string expected_type(const CasesTable& table, const Watch& watch = Watch());

}  // namespace komuz::engine
