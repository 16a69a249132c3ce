// SPDX-License-Identifier: Apache-2.0
// Types for cases that come without a signature: the narrowest type that holds a column's values and that a program
// can compute with.
#pragma once
#include <string>

#include "engine/cases/cases_table.h"

namespace komuz::engine {

// The column's type as source text: bool, i64, u64, f64, Bytes[n], or List[…, n] of one of these or of lists. n is
// the greatest length in any row. Integers are f64 if a row has a fraction. The text is empty if rows do not agree,
// or hold a value whose type has a name of its own. `odd_row` becomes the first row that no type fits together with
// the rows above it. After a requested stop the result is meaningless.
[[nodiscard]] std::string column_type(const CasesTable& table, size_t column,
                                      u32* odd_row = nullptr, const Watch& watch = Watch());
// The same for the expected values; also empty if all cases expect traps.
[[nodiscard]] std::string expected_type(const CasesTable& table, const Watch& watch = Watch());

}  // namespace komuz::engine
