// SPDX-License-Identifier: Apache-2.0
// Unknown names for which there is a space. Reads all nodes, so it is used only for diagnostics that are told.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `extra(x)` and `extra` for `space extra`, which are written `?extra(x)`, and `extra` among the space's own
// alternatives. Returns false if there is no such space.
[[nodiscard]] bool refine_space(const Columns& c, Index name, Diagnostic& row);

}  // namespace komuz::frontend
