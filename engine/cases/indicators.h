// SPDX-License-Identifier: Apache-2.0
// Indicators of a column of texts: the input `state_treated` is 1 where the column `state` holds `treated`, else 0. A fit
// makes them (engine/fit/fit_data.h); a parameter that has the name of one takes it (typed_columns.h).
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/cases/cases_table.h"

namespace komuz::engine {

// More different values in a column are no categories.
inline constexpr size_t kMostCategories = 12;

struct Indicator {
  std::string name;   // of the parameter
  size_t column = 0;  // of the table
  // What the column holds where the indicator is 1; empty: no row holds it.
  std::string category;
};

// What a cell says, without the quotes of JSON.
[[nodiscard]] std::string_view category_of(std::string_view cell);
[[nodiscard]] std::string indicator_name(std::string_view column, std::string_view category);

// The indicator of this name, if a column has it: one whose texts have that name, or else a column of texts with the
// name's beginning. A problem: several texts have it.
Result<std::optional<Indicator>> find_indicator(const CasesTable& table, std::string_view name);

// "`state_treated` is 1 where `state` is `treated`, else 0"; empty if there is none.
[[nodiscard]] std::string indicators_text(std::span<const Indicator> indicators,
                                          const CasesTable& table);

}  // namespace komuz::engine
