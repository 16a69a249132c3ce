// SPDX-License-Identifier: Apache-2.0
// Who proposes cheaper code besides the rules, which always are asked: the option `--by` of commands that optimise.
#pragma once
#include <string_view>

#include "cli/programs/model_errors.h"
#include "neural/decode/open_model.h"
#include "neural/optimise/optimise.h"
#include "services/options/authors.h"

namespace komuz::cli {

// Sets who is asked. A model that is wanted and cannot be read is reported on standard error.
[[nodiscard]] inline Exit ask_authors(services::Authors authors, neural::OptimiseOptions& options,
                                      Terminal& terminal) {
  options.by_teacher = authors == services::Authors::Teacher || authors == services::Authors::All;
  if (authors != services::Authors::Model && authors != services::Authors::All)
    return Exit::Success;
  const Result<const neural::Model*> model = neural::open_model();
  if (const Problem& problem = model.problem()) return report_model_problem(problem, terminal);
  options.model = model.value();
  return Exit::Success;
}

}  // namespace komuz::cli
