// SPDX-License-Identifier: Apache-2.0
// Charts for a terminal: points are dots of braille, eight to a character, and those that stand out are `●`.
#pragma once
#include <string>

#include "services/charts/chart.h"
#include "services/charts/charts.h"

namespace komuz::services {

// Lines of at most `width` columns, but never below 40.
[[nodiscard]] std::string write_text(const Chart& chart, u32 width);

// The chart of draw_score_against_size().
[[nodiscard]] Chart score_against_size(const CandidateColumns& candidates, std::string_view id);

}  // namespace komuz::services
