// SPDX-License-Identifier: Apache-2.0
// What the passes found out about the holes of a program.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "lang/sketch.h"

namespace komuz::frontend {

// `c`: the columns of a program without errors. Holes of the modules that it uses are theirs.
[[nodiscard]] Sketch describe_sketch(const Columns& c);

}  // namespace komuz::frontend
