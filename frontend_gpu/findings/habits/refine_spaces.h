// SPDX-License-Identifier: Apache-2.0
// Names that nobody knows where a space has that name. Reads all nodes, so it is for the rows that are told.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `extra(x)` and `extra` of `space extra`, which are written `?extra(x)`, and `extra` among its own alternatives. False
// where there is no such space.
[[nodiscard]] bool refine_space(const Columns& c, Index name, Diagnostic& row);

}  // namespace komuz::frontend
