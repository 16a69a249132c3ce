// SPDX-License-Identifier: Apache-2.0
// Charts for a terminal: points are dots of braille, eight to a character, and those that stand out are `●`. A diagonal
// is of `·`.
#pragma once
#include <string>

#include "services/charts/chart.h"
#include "services/charts/charts.h"

namespace komuz::services {

// Lines of at most `width` columns, but never below 40.
[[nodiscard]] std::string write_text(const Chart& chart, u32 width);

// The chart of draw_actual_against_expected().
[[nodiscard]] Chart actual_against_expected(const CaseColumns& cases, std::string_view id);

// What is expected over a column of the cases, and what a program gave, whose points stand out.
struct ColumnPoints {
  std::span<const f64> column = {}, expected = {};
  std::span<const f64> actual = {};  // of the first cases; empty: there is no program
  std::string_view column_name = {}, expected_name = {}, program = {};
};
[[nodiscard]] Chart over_column(const ColumnPoints& points, std::string_view id);

// The chart of draw_score_against_size().
[[nodiscard]] Chart score_against_size(const CandidateColumns& candidates, std::string_view id);

}  // namespace komuz::services
