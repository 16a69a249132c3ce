// SPDX-License-Identifier: Apache-2.0
// `komuz eval --optimise N`: cheaper code for the best programs of a ranking, as `komuz optimise` finds it.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/evaluation/report_file.h"
#include "cli/process/interrupt.h"
#include "cli/terminal/terminal.h"
#include "frontend_gpu/frontend.h"
#include "lang/code.h"
#include "services/evaluation/best_programs.h"
#include "services/options/evaluation_request.h"

namespace komuz::cli {

struct OptimisedBest {
  // The field `optimised` of the report, an array with an object for each program; empty: nobody has asked.
  std::string json;
  std::optional<Code> code;          // of the best program: the cheaper one
  std::string why_no_code{kNoBest};  // a sentence
  bool is_interrupted = false;
};

// What is found is also written in lines to standard output, where a table is shown. `compiling`: as the run has compiled them.
[[nodiscard]] OptimisedBest optimise_best(const services::EvaluationRequest& request,
                                          std::span<const services::RankedProgram> programs,
                                          const frontend::Options& compiling, Interrupt& interrupt,
                                          Terminal& terminal);

// Writes the code as a file of bytecode.
[[nodiscard]] Exit write_best_code(const std::string& path, const OptimisedBest& best,
                                   Terminal& terminal);

}  // namespace komuz::cli
