// SPDX-License-Identifier: Apache-2.0
// A program that a fit begins with and that is open somewhere: `?c(real)` for any number, choices, spaces. What is open is
// looked for by a search of its own, in the terms of the loss.
#pragma once
#include <stop_token>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "services/fit/fit.h"

namespace komuz::services {

// The program with what is best in the open places, or as it is: if nothing is open, and if nothing gives numbers. A
// problem: a stop.
Result<std::string> decided_start(const std::string& program, const engine::CasesTable& cases,
                                  const FitOptions& options, const std::stop_token& stop);

}  // namespace komuz::services
