// SPDX-License-Identifier: Apache-2.0
// `use` items as other languages write them: `use std::math;`, `import std.math;`, `from math import gcd`.
#pragma once
#include "frontend_gpu/columns.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// Of a row on such a line: what is meant of the standard library, for the whole line.
void refine_use(const Columns& c, Diagnostic& row);

}  // namespace komuz::frontend
