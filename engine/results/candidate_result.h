// SPDX-License-Identifier: Apache-2.0
// The result of a candidate before it becomes a row: its details are still with it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/native/cheaper_code.h"
#include "engine/results/results.h"

namespace komuz::engine {

struct CandidateResult {
  ResultRow row;
  bool has_failure = false;
  Failure failure;
  std::vector<DiagnosticText> diagnostics;
  FixedSource fixed;
  OtherSignature
      other_signature;  // the signature for which it was refused; without a text there is none
  ScoreLine line;       // of a row with a score that fits one
  std::vector<f64> case_scores;  // if they are kept
  bool done = false;
  bool set_aside =
      false;  // it may go on after the others of its block (block_budget.h); otherwise the row holds
  u32 slow_case = kNone;  // if it is set aside: the first slow case, if nothing else decides
  CheaperUse cheaper;     // is part of no row

  void clear();
  // What was compiled of a candidate with this text.
  [[nodiscard]] std::string_view compiled_text(std::string_view source) const {
    return row.fixed ? std::string_view(fixed.text) : source;
  }
};

// Makes the result of a candidate that cannot be run.
void refuse(std::string reason, CandidateResult& out);
// Makes the result of a candidate that was set aside when the run was stopped.
void leave_stopped(CandidateResult& out);

}  // namespace komuz::engine
