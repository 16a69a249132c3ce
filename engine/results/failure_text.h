// SPDX-License-Identifier: Apache-2.0
// What is known of a candidate beside its row, in words: for tables, lines below them and pages.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/results/results.h"

namespace komuz::engine {

// The first case that failed. Values are as text (value_text.h) where the types are known, else as JSON.
struct FailureText {
  u64 line = 0;                        // of the file of cases; 0: there is none
  std::vector<std::string> arguments;  // "n = 27"
  std::string expected;                // a trap as "trap DIV_ZERO"; empty: a number, whichever
  std::string actual;                  // the same
  std::string place;                   // of the trap, "file:line:column"; empty: there is none
  std::string assertion;               // of a failed one: `assert left > 0`

  // What it gave, where, and what was asserted there.
  [[nodiscard]] std::string found() const;
};

struct FindingsText {
  std::optional<FailureText> failure;
  std::vector<DiagnosticText> diagnostics;
};

// Of a row whose details the results hold.
[[nodiscard]] FindingsText findings_of(const Results& results, u32 row);

// Of the best candidate, on the cases that were held out.
[[nodiscard]] std::optional<FailureText> held_out_failure(const Results& results);

// "file:3:5", or "3:5" of the candidate itself, which has no file.
[[nodiscard]] std::string place_text(std::string_view file, u32 line, u32 column);

}  // namespace komuz::engine
