// SPDX-License-Identifier: Apache-2.0
// What a log holds of a candidate beside its row, back in the form that it was written from.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidate_result.h"

namespace komuz::engine {

// `details`: those of log_lines.h. `suite` types what the first failing case gave; null: it is left out, and what else is
// there is read. False: they are damaged.
[[nodiscard]] bool read_details(std::string_view details, const Suite* suite, CandidateResult& out);

// The same in words, for who knows no cases and no types.
struct FailureText {
  u64 line = 0;                             // of the file of cases
  std::string arguments, expected, actual;  // as JSON; a trap as "trap DIV_ZERO"
  std::string place;                        // of the trap, "file:line:column"; empty: there is none
};
struct FindingsText {
  std::optional<FailureText> failure;
  std::vector<DiagnosticText> diagnostics;
};
[[nodiscard]] bool read_findings(std::string_view details, FindingsText& out);

}  // namespace komuz::engine
