// SPDX-License-Identifier: Apache-2.0
// One cause for several findings: text in a comment of another language, or a bracket whose partner stands in
// another item. Runs on the host over the findings of a program, which may be in any order.
#pragma once
#include <vector>

#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

[[nodiscard]] inline bool is_of_brackets(DiagnosticCode code) {
  return code == DiagnosticCode::UnclosedBracket || code == DiagnosticCode::UnopenedBracket ||
         code == DiagnosticCode::MismatchedBracket;
}

// `/* … */`, `# …`, `"""…"""`: one finding for all that such a comment makes of the tokens in it.
void refine_comments(const Columns& c, std::vector<Finding>& findings);

// An `{` that is never closed, with a `}` some items later that closes nothing: items do not nest. Also one bracket
// too few or too many, which makes other brackets seem wrong; and a label `'name:`, which turns the rest of its
// line into a character.
void refine_brackets(const Columns& c, std::vector<Finding>& findings);

}  // namespace komuz::frontend
