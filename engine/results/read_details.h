// SPDX-License-Identifier: Apache-2.0
// Turns a candidate's details in a log back into the form that they were written from.
#pragma once
#include <string_view>

#include "engine/results/candidate_result.h"
#include "engine/results/failure_text.h"

namespace komuz::engine {

// `details`: as log_lines.h reads them. `suite` gives the type of the first failing case's result; if it is null, the
// result is left out and the rest is read. False: the details are damaged.
[[nodiscard]] bool read_details(std::string_view details, const Suite* suite, CandidateResult& out);

// The same in words, for callers that know neither cases nor types.
[[nodiscard]] bool read_findings(std::string_view details, FindingsText& out);

// Reads the text of write_held_out_json(): `out` gets the candidate's id, its row, the number of cases and the text
// itself. False: the text is damaged.
[[nodiscard]] bool read_held_out(std::string_view json, HeldOut& out,
                                 std::optional<FailureText>* failure = nullptr);

// Reads the text of write_worst_json() (report.h), in words.
[[nodiscard]] bool read_worst(std::string_view json, std::vector<FailureText>& out);

// Reads the text of write_fixes_json() (report.h).
[[nodiscard]] bool read_fixes(std::string_view json, std::vector<AppliedFix>& out);

}  // namespace komuz::engine
