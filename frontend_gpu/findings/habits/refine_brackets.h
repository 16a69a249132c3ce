// SPDX-License-Identifier: Apache-2.0
// One cause for several findings: what stands in a comment of another language, a bracket that an item inside another one
// tears apart. Runs on the host over the findings of a program, which may be in any order.
#pragma once
#include <vector>

#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

[[nodiscard]] inline bool is_of_brackets(DiagnosticCode code) {
  return code == DiagnosticCode::UnclosedBracket || code == DiagnosticCode::UnopenedBracket ||
         code == DiagnosticCode::MismatchedBracket;
}

// `/* … */`, `# …`, `"""…"""`: one finding for what it makes of the tokens in it.
void refine_comments(const Columns& c, std::vector<Finding>& findings);

// An `{` that is never closed and, some items behind it, a `}` that closes nothing: items do not nest. One bracket too few
// or too many, which others seem to miss. A label `'name:`, which takes the rest of its line for a character.
void refine_brackets(const Columns& c, std::vector<Finding>& findings);

}  // namespace komuz::frontend
