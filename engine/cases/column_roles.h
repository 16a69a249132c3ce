// SPDX-License-Identifier: Apache-2.0
// What each column of a table with a header is: a parameter, the expected value, … Not part of the engine's door.
#pragma once
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/cases/cases_table.h"

namespace komuz::engine {

// The role of a column: 0 or more is a parameter, else it is one of these.
inline constexpr int kOutput = -1, kTrap = -2, kTolerance = -3, kIgnored = -4, kWeight = -5;

// Decides the roles of the columns, and tells `out` which columns it has; its file and `names_line` are known. `names`: what the header
// says. `place_of`: where it says the name of a column.
Problem assign_columns(std::span<const std::string_view> names,
                       const std::function<InputPlace(size_t column)>& place_of,
                       const CaseFields& fields, CasesTable& out, std::vector<int>& roles);

}  // namespace komuz::engine
