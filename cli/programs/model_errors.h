// SPDX-License-Identifier: Apache-2.0
// Says why there is no model.
#pragma once
#include "base/problem.h"
#include "cli/terminal/terminal.h"

namespace komuz::cli {

[[nodiscard]] inline Exit report_model_problem(const Problem& problem, Terminal& terminal) {
  const std::string& file = problem.place().file;
  return terminal.input_error((file.empty() ? "" : file + ": ") + problem.message(),
                              problem.remedy());
}

}  // namespace komuz::cli
