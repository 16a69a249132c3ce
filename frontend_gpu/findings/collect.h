// SPDX-License-Identifier: Apache-2.0
// Turns marked nodes and brackets into diagnostics, in source order.
#pragma once
#include <vector>

#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/findings/error_limits.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// A diagnostic, and the node or bracket that a pass marked.
struct Finding {
  Diagnostic diagnostic;
  Index item;
  Index node;  // kNone: it comes from no single node
};

void collect_diagnostics(const Columns& c, ErrorLimits limits, std::vector<Diagnostic>& out);

// The bytes of the source that a node's whole subtree takes, closing brackets included.
struct Span {
  u32 begin = 0, end = 0;
};
[[nodiscard]] Span subtree_span(const Columns& c, Index i);

}  // namespace komuz::frontend
