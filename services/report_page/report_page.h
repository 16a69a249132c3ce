// SPDX-License-Identifier: Apache-2.0
// An evaluation as one self-contained page: facts, charts, the ranking and the best programs. Plain structs in, HTML
// out. The page is also well-formed XML, and needs no network. Texts may hold anything. Knows neither logs nor files:
// a reader of these fills the structs, which refer to its data.
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

// A candidate. Missing values are NaN or nothing.
struct ReportRow {
  std::string_view id;
  std::string_view status;  // as in the report: ok, wrong, trap, compile_error, refused, unscored
  u64 program = 0;          // equal for equal programs only
  u32 rank = 0;             // from 1; 0: none
  f64 score = std::numeric_limits<f64>::quiet_NaN();
  std::optional<u64> passed = {}, fuel = {}, code_bytes = {};
  std::optional<u64> copy_of = {};  // the row that had its program first
  bool is_on_front = false;         // of better score, less fuel and smaller code
};

// The first failing case, in words.
struct ReportFailure {
  u64 line = 0;  // of the cases' file, from 1, for looking it up; 0: none
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
  // The program of a row, by its place there; called for the few that are shown.
  std::function<ReportProgram(u64)> program = {};
  // The same for the fault of a row, on one line; empty if there is none. Called for the rows of the ranking.
  std::function<std::string(u64)> finding = {};
  std::string sketch = {};  // whose variants the candidates are; empty: none
  // The cases of the best program, if its results are numbers; else empty.
  CaseColumns cases_of_best = {};
};

[[nodiscard]] std::string write_report_page(const ReportPage& page);

}  // namespace komuz::services
