// SPDX-License-Identifier: Apache-2.0
// `--optimise N`: cheaper code for the best programs of a ranking, as `komuz optimise` finds it.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "lang/code.h"
#include "neural/optimise/optimise.h"
#include "services/evaluation/best_programs.h"
#include "services/options/authors.h"
#include "services/options/evaluation_request.h"
#include "services/results/optimised_text.h"

namespace komuz::services {

inline constexpr std::string_view kNoBest = "no program has a score: there is no best one to write";

struct OptimisedBest {
  // The field `optimised` of the report, an array with an object for each program; empty: nobody has asked.
  std::string json;
  std::optional<Code> code;          // of the best program: the cheaper one
  std::string why_no_code{kNoBest};  // a sentence
  bool is_interrupted = false;
};

// How the caller follows the work.
struct OptimiseEvents {
  // Calls `work` with what watches it, and may stop it.
  std::function<void(const std::function<void(const engine::Watch&)>& work)> watch;
  // A program is done. None: nobody asks.
  std::function<void(const OptimisedProgram&)> on_program;
};

// Of the first programs of the ranking. `compiling`: as the run has compiled them.
[[nodiscard]] OptimisedBest optimise_best(const EvaluationRequest& request,
                                          std::span<const RankedProgram> programs,
                                          const frontend::Options& compiling,
                                          const OptimiseEvents& events);

// Sets who is asked besides the rules, which always are. The problem of a model that is wanted has to do with no input.
[[nodiscard]] Problem ask_authors(Authors authors, neural::OptimiseOptions& options);

// As a file of bytecode (`.kbc`).
[[nodiscard]] std::string code_file_of(const Code& code);

}  // namespace komuz::services
