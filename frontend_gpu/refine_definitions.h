// SPDX-License-Identifier: Apache-2.0
// Heads of functions with a `:` behind them, as Python writes them: `def f(x: float) -> float:`, `fn f(n: i64) -> i64:`.
#pragma once
#include "frontend_gpu/columns.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// Of a row that says that `def` is no word, or that what stands at or behind the `:` is no item.
void refine_definition(const Columns& c, Diagnostic& row);

}  // namespace komuz::frontend
