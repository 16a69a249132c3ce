// SPDX-License-Identifier: Apache-2.0
// What a log holds of a candidate beside its row, back in the form that it was written from.
#pragma once
#include <string_view>

#include "engine/results/candidate_result.h"
#include "engine/results/failure_text.h"

namespace komuz::engine {

// `details`: those of log_lines.h. `suite` types what the first failing case gave; null: it is left out, and what else is
// there is read. False: they are damaged.
[[nodiscard]] bool read_details(std::string_view details, const Suite* suite, CandidateResult& out);

// The same in words, for who knows no cases and no types.
[[nodiscard]] bool read_findings(std::string_view details, FindingsText& out);

// What write_held_out_json() wrote of a candidate: `out` gets its id, its row, the number of cases and the text itself. False: it
// is damaged.
[[nodiscard]] bool read_held_out(std::string_view json, HeldOut& out,
                                 std::optional<FailureText>* failure = nullptr);

// What write_fixes_json() wrote (report.h).
[[nodiscard]] bool read_fixes(std::string_view json, std::vector<AppliedFix>& out);

}  // namespace komuz::engine
