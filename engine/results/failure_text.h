// SPDX-License-Identifier: Apache-2.0
// What is known of a candidate beside its row, in words: for tables, for the lines below them, and for pages.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/results/results.h"

namespace komuz::engine {

// The first failing case. Values are as text (value_text.h) if their types are known, else as JSON.
struct FailureText {
  u64 line = 0;                        // of the file of cases; 0: there is none
  std::vector<std::string> arguments;  // "n = 27"
  std::string expected;                // a trap as "trap DIV_ZERO"; empty: any number
  std::string actual;                  // the same
  std::string place;                   // of the trap, "file:line:column"; empty: there is none
  std::string assertion;               // of a failed one: `assert left > 0`

  // The actual result, its place, and the failed assertion.
  [[nodiscard]] std::string found() const;
};

struct FindingsText {
  std::optional<FailureText> failure;
  std::vector<DiagnosticText> diagnostics;
};

// For a row whose details the results hold.
[[nodiscard]] FindingsText findings_of(const Results& results, u32 row);

// The first failure of the best candidate on the held-out cases.
[[nodiscard]] std::optional<FailureText> held_out_failure(const Results& results);

// The worst cases of the best candidate, if somebody has looked for them.
[[nodiscard]] std::vector<FailureText> worst_of_best(const Results& results);

// "file:3:5", or "3:5" for a place in the candidate itself, which has no file.
[[nodiscard]] std::string place_text(std::string_view file, u32 line, u32 column);

}  // namespace komuz::engine
