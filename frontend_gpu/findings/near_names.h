// SPDX-License-Identifier: Apache-2.0
// "Did you mean": of a name that nobody knows, the nearest of those that the program writes and that may stand there. On the
// host, over tokens and the tree (message_columns.def), for the rows that are told.
#pragma once
#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

// Is it looked for among all names that may stand there?
[[nodiscard]] bool seeks_name(const Columns& c, const Diagnostic& d);
// Puts the place of that name into the row, where there is one.
void suggest_name(const Columns& c, Finding& finding);

}  // namespace komuz::frontend
