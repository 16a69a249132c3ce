// SPDX-License-Identifier: Apache-2.0
// Decides which programs are formatted: those whose tree is the intended one.
#pragma once
#include "lang/diagnostics.h"
#include "services/format/tree.h"

namespace komuz::services {

// True for errors about the text, the tokens or the tree. Such errors have numbers below 200; some of those are about
// the meaning of a tree.
[[nodiscard]] bool is_of_syntax(DiagnosticCode code);

// The first error of syntax that no diagnostic reports; None if there is none. An error is not reported if it follows
// from others, if there are too many, or if it is inside of an unsupported construct, where the front end only looks
// at tokens and brackets.
[[nodiscard]] Diagnostic find_untold_error(const Tree& tree);

}  // namespace komuz::services
