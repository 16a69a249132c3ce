// SPDX-License-Identifier: Apache-2.0
// Describes the holes of a program for those who fill them in.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "lang/sketch.h"

namespace komuz::frontend {

// `c`: the columns of a program without errors. The holes of modules that it uses are not its own, and are left
// out.
[[nodiscard]] Sketch describe_sketch(const Columns& c);

}  // namespace komuz::frontend
