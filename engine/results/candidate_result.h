// SPDX-License-Identifier: Apache-2.0
// A result that is not yet a row among others: its details are still with it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/results/results.h"

namespace komuz::engine {

struct CandidateResult {
  ResultRow row;
  bool has_failure = false;
  Failure failure;
  std::vector<DiagnosticText> diagnostics;
  FixedSource fixed;
  OtherSignature other_signature;  // why it was refused; without a text: it was not for that
  std::vector<f64> case_scores;    // where they are kept
  bool done = false;
  bool set_aside =
      false;  // it goes on when others are done (block_budget.h); the row is what it is if it does not
  u32 slow_case =
      kNone;  // of one that is set aside: the first that took much, if nothing else decides

  void clear();
  // What was compiled of a candidate with this text.
  [[nodiscard]] std::string_view compiled_text(std::string_view source) const {
    return row.fixed ? std::string_view(fixed.text) : source;
  }
};

// A result of a candidate that cannot be run.
void refuse(std::string reason, CandidateResult& out);
// Of one that was set aside when the run was stopped.
void leave_stopped(CandidateResult& out);

}  // namespace komuz::engine
