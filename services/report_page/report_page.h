// SPDX-License-Identifier: Apache-2.0
// An evaluation as one self-contained page: facts, charts, the ranking and the best programs. Plain structs in, HTML out; the
// page is well-formed XML, too, and asks the network for nothing. Texts may hold anything.
// Knows neither logs nor files: whoever has read one fills the structs, which refer to what it has read.
#pragma once
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/charts/charts.h"

namespace komuz::services {

struct ReportFact {
  std::string name, value;
};

// A candidate. What it has not is NaN or nothing.
struct ReportRow {
  std::string_view id;
  std::string_view status;  // as in the report: ok, wrong, trap, compile_error, refused, unscored
  u64 program = 0;          // the same for the same programs alone
  u32 rank = 0;             // from 1; 0: none
  f64 score = std::numeric_limits<f64>::quiet_NaN();
  std::optional<u64> passed = {}, fuel = {}, code_bytes = {};
  std::optional<u64> copy_of = {};  // the row that had its program first
  bool is_on_front = false;         // of better score, less fuel and smaller code
};

// The first case that failed, in words.
struct ReportFailure {
  u64 line = 0;  // of the cases' file, from 1, where it can be looked up; 0: there is none
  std::string arguments = {}, expected = {}, actual = {};
};
struct ReportDiagnostic {
  u32 line = 0, column = 0;
  std::string severity, code, message;
};
struct ReportProgram {
  std::string source = {};
  std::optional<ReportFailure> failure = {};
  std::vector<ReportDiagnostic> diagnostics = {};
};

struct ReportPage {
  std::string title = {};
  std::vector<ReportFact> facts = {};
  std::string score_name = "score";
  Better better = Better::Smaller;
  u64 cases = 0;
  std::span<const ReportRow> rows = {};  // in the order in which they were looked at
  // Of a row, by its place there; asked for the few that are shown.
  std::function<ReportProgram(u64)> program = {};
  // The same of what went wrong, on a line; empty: nothing did. Asked for the rows of the ranking.
  std::function<std::string(u64)> finding = {};
  std::string sketch = {};  // whose variants the candidates are; empty: there is none
  // Of the best program, where results are numbers; else empty.
  CaseColumns cases_of_best = {};
};

[[nodiscard]] std::string write_report_page(const ReportPage& page);

}  // namespace komuz::services
