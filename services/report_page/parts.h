// SPDX-License-Identifier: Apache-2.0
// The parts of the page with files of their own. Each appends to the page.
#pragma once
#include "frontend_gpu/frontend.h"
#include "services/report_page/report_page.h"

namespace komuz::services {

// Longer ids are cut.
inline constexpr u32 kIdColumns = 200;

// Rows by rank, then those without a rank, at most `most`.
[[nodiscard]] std::vector<u64> best_rows(const ReportPage& page, size_t most);
// The first row of each program among the best, or among all if none has a rank.
[[nodiscard]] std::vector<u64> shown_programs(const ReportPage& page);

void append_id(std::string& out, std::string_view id);
// `shown`: rows that have a section to link to.
void append_ranking(std::string& out, const ReportPage& page, std::span<const u64> shown);
void append_programs(std::string& out, const ReportPage& page, std::span<const u64> shown);
void append_source(std::string& out, frontend::Compiler& compiler, std::string_view source);

// "best-3": the section of a program, by its place among the shown ones.
[[nodiscard]] inline std::string program_anchor(size_t place) {
  return "best-" + std::to_string(place + 1);
}

}  // namespace komuz::services
