// SPDX-License-Identifier: Apache-2.0
// Invented evaluations, for charts and pages.
#pragma once
#include <string>
#include <vector>

#include "services/report_page/report_page.h"

namespace komuz::test {

struct ReportSample {
  std::vector<std::string> ids;
  std::vector<f64> scores;  // NaN: none
  std::vector<u64> sizes;
  std::vector<f64> expected, actual;  // of the best one
  std::vector<services::ReportRow> rows;

  // The columns refer to the sample.
  [[nodiscard]] services::CandidateColumns columns() const;
  [[nodiscard]] services::CaseColumns cases() const;
  [[nodiscard]] services::ReportPage page() const;
};

// Squared errors over many decades: one of them zero, some missing, one infinite; the same each time.
[[nodiscard]] ReportSample regression_sample(u32 candidates = 300);

// The same with ids, facts and programs that could break a page.
[[nodiscard]] ReportSample hostile_sample();
// Ids that could break a page, one after the other.
[[nodiscard]] std::span<const std::string_view> hostile_texts();

}  // namespace komuz::test
