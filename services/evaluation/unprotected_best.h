// SPDX-License-Identifier: Apache-2.0
// `--unprotect`: the best program, or a variant, with plain operators where no case needs the protected ones.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "lang/library.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

struct UnprotectOptions {
  std::string entry;  // empty: the only `pub fn`
  std::vector<const engine::CasesTable*> tables;
  const Library* library =
      nullptr;   // null: the modules of the standard library that the text names
  u64 fuel = 0;  // of a case
  std::stop_token stop;
};
// The program's text with its plain operators, simplified. `note`: what was done, and on how many cases that is right.
[[nodiscard]] Result<std::string> unprotected_best(const std::string& program,
                                                   const UnprotectOptions& options, Note& note);

}  // namespace komuz::services
