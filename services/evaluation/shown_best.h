// SPDX-License-Identifier: Apache-2.0
// The best program of a run that has ended, as it is shown and written.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "engine/results/results.h"
#include "services/options/evaluation_request.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

struct BestOfRun {
  const EvaluationRequest& request;
  const engine::Results& results;
  bool is_variant = false;  // of a sketch
  // The cases of the run, and those that it holds out.
  std::vector<const engine::CasesTable*> tables;
};

// The name of the best program's entry; empty: it is the only `pub fn`.
[[nodiscard]] std::string best_entry(const EvaluationRequest& request, const std::string& source);

// Its text, without protections where the request asks for that. What is to be said of it is added to `note`. Empty: there is none.
[[nodiscard]] Result<std::string> shown_best(const BestOfRun& run, const std::stop_token& stop,
                                             Note& note);

}  // namespace komuz::services
