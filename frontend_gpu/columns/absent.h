// SPDX-License-Identifier: Apache-2.0
// The cells of an absent child stand behind those of the last node. A pass that puts neutral values there may look at
// both children of a node, and may store to both, without asking whether they exist.
#pragma once
#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD Index or_absent(const Columns& c, Index child) { return child < c.nodes ? child : c.nodes; }

}  // namespace komuz::frontend::inline KOMUZ_PASSES
