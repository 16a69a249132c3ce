// SPDX-License-Identifier: Apache-2.0
// Charts for a terminal. Points are dots of braille, eight to a character; points that stand out are `●`, and a
// diagonal is made of `·`.
#pragma once
#include <string>

#include "services/charts/chart.h"
#include "services/charts/charts.h"

namespace komuz::services {

// Lines of at most `width` columns, but never below 40.
[[nodiscard]] std::string write_text(const Chart& chart, u32 width);

// The chart of draw_actual_against_expected().
[[nodiscard]] Chart actual_against_expected(const CaseColumns& cases, std::string_view id);

// The expected values over a column of the cases, and the results of a program, whose points stand out.
struct ColumnPoints {
  std::span<const f64> column = {}, expected = {};
  std::span<const f64> actual = {};  // for the first cases; empty: there is no program
  std::string_view column_name = {}, expected_name = {}, program = {};
};
[[nodiscard]] Chart over_column(const ColumnPoints& points, std::string_view id);

// The chart of draw_score_against_size().
[[nodiscard]] Chart score_against_size(const CandidateColumns& candidates, std::string_view id);

}  // namespace komuz::services
