// SPDX-License-Identifier: Apache-2.0
// "Did you mean": for an unknown name, the most similar name that the program writes and that may stand there. Runs
// on the host, over tokens and the tree (message_columns.def), for the diagnostics that are told.
#pragma once
#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

// True if similar names are looked for.
[[nodiscard]] bool seeks_name(const Columns& c, const Diagnostic& d);
// Puts the position of a similar name into the diagnostic, if there is one.
void suggest_name(const Columns& c, Finding& finding);

}  // namespace komuz::frontend
