// SPDX-License-Identifier: Apache-2.0
// Which programs are formatted: those whose tree is the one that is meant.
#pragma once
#include "lang/diagnostics.h"
#include "services/format/tree.h"

namespace komuz::services {

// Is it about the text, the tokens or the tree? Such errors have numbers below 200; some of those are about what a tree
// stands for.
[[nodiscard]] bool is_of_syntax(DiagnosticCode code);

// The first error of syntax that no diagnostic tells, None if there is none. Some follow from others, or there are too many
// of them, or they stand inside of what is not supported yet, where the front end looks at tokens and brackets alone.
[[nodiscard]] Diagnostic find_untold_error(const Tree& tree);

}  // namespace komuz::services
