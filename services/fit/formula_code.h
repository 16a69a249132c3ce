// SPDX-License-Identifier: Apache-2.0
// A formula as code, with the columns of the inputs that it takes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/fit/fit_data.h"
#include "lang/code.h"

namespace komuz::services {

struct FormulaCode {
  Code code;
  u32 function = 0;
  std::vector<std::vector<f64>> columns;  // of its parameters, which may be some of the inputs
};

// Nothing: the program does not compile by itself, or has several functions to run.
[[nodiscard]] std::optional<FormulaCode> formula_code(const std::string& program,
                                                      const engine::FitData& points);

}  // namespace komuz::services
