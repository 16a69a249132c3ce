// SPDX-License-Identifier: Apache-2.0
// Finds types of a harness that its open functions take or give, but that no candidate can name.
#pragma once
#include <vector>

#include "frontend_gpu/columns/columns.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// `c`: what the passes left of a harness without errors. Each type is reported once, where it is defined.
void find_private_types(const Columns& c, std::vector<Diagnostic>& out);

}  // namespace komuz::frontend
