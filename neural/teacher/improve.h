// SPDX-License-Identifier: Apache-2.0
// Cheaper expressions in a graph, by enumeration: for each node, the largest first, what hangs below it is taken out
// (part.h), short expressions with the same outcomes are looked for (enumerate.h), and the cheapest one that is proved
// takes its place.
#pragma once
#include "neural/teacher/enumerate.h"
#include "neural/teacher/part.h"
#include "neural/teacher/simplify.h"

namespace komuz::neural {

struct ImproveOptions {
  EnumerationLimits limits = {};
  u32 inputs = 64;                  // that outcomes are compared on
  u32 parts = 12;                   // that are looked at in one window
  u64 resources = kProofResources;  // of the solver, for each expression
  const std::stop_token* stop = nullptr;
};

struct Improved {
  u32 found = 0;    // parts that have become cheaper
  u32 refused = 0;  // cheaper expressions that no input told apart, and that were not proved
};

// The new root; the same if nothing was found.
[[nodiscard]] u32 improve(ValueGraph& graph, u32 root, Simplifier& simplifier,
                          const ImproveOptions& options, Improved& improved);

}  // namespace komuz::neural
