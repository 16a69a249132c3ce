// SPDX-License-Identifier: Apache-2.0
// What a finding speaks for: the construct around it, inside of which nothing else is reported.
#pragma once
#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

// The node whose whole subtree a finding speaks for; kNone: it speaks for itself.
[[nodiscard]] Index construct_of(const Columns& c, const Finding& finding);

}  // namespace komuz::frontend
