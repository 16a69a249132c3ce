// SPDX-License-Identifier: Apache-2.0
// The options that choose the rows of a table of results.
#pragma once
#include <string>

#include "base/problem.h"
#include "services/options/args.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

inline constexpr OptionRow kTopOption = {"top", "N", "rows of the table (default 10)"};
inline constexpr OptionRow kDistinctOption = {
    "distinct", "", "the table shows only the best of the programs that do the same on every case"};
inline constexpr OptionRow kParetoOption = {
    "pareto", "", "the table shows the Pareto front of score, fuel and bytes instead of the best"};

[[nodiscard]] TableRows read_table_rows(const Args& args);
// The first pair of options that exclude each other.
Problem find_table_conflict(const Args& args);
// The same for logs whose run used such an option.
Problem find_table_conflict(const Args& args, const engine::Results& logged);

}  // namespace komuz::services
