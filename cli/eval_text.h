// SPDX-License-Identifier: Apache-2.0
// Results for people: the ranking as a table, the counts as a line, the first problems.
#pragma once
#include <string>

#include "engine/results.h"
#include "services/excerpt.h"

namespace komuz::cli {

enum class TableRows : u8 { Best, ParetoFront };
// The best `most` programs, or those on the front: rank, id, status, score, passed/cases, fuel, bytes, and how often each is
// repeated.
[[nodiscard]] std::string ranking_table(const engine::Results& results, TableRows which,
                                        size_t most, const services::RenderStyle& style);
// "4 programs on the Pareto front of score, fuel and bytes"
[[nodiscard]] std::string front_line(const engine::Results& results);

// "10,000 candidates on 256 cases: 9,212 ok, 301 trapped, 300 do not compile; 187 are duplicates"
[[nodiscard]] std::string counts_line(const engine::Results& results);

// Why a candidate was not run or, with an exact score, its first failing case: one line.
[[nodiscard]] std::string problem_line(const engine::Results& results, u32 row);

}  // namespace komuz::cli
