// SPDX-License-Identifier: Apache-2.0
// The teacher: the cheapest code that it finds for a function, in its own time. It looks at each window
// (expression.h) and each expression in it, and puts the cheapest short one in its place that guided inputs do not tell
// from it (enumerate.h), once that is proved (neural/equal).
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "lang/code.h"
#include "neural/equal/equality.h"
#include "neural/teacher/enumerate.h"

namespace komuz::neural {

struct TeachOptions {
  EnumerationLimits limits = {};
  u32 inputs = 64;                  // that outcomes are compared on
  u64 resources = kProofResources;  // of the solver, for each expression
  const std::stop_token* stop = nullptr;
};

// An expression that was replaced.
struct Replacement {
  u32 function = 0;
  u64 cost_before = 0, cost_after = 0;  // cost_of()
  Evidence evidence = Evidence::Solver;
};

struct Taught {
  Code code;  // checked; the same as before if nothing was found
  std::vector<Replacement> replacements;
  u32 refused = 0;  // cheaper expressions that inputs did not tell apart, and that were not proved
  bool is_given_up =
      false;  // the whole did not pass the checker or a test, and nothing was replaced
};

// `code` is checked. Outcomes and ticks of the entry, and of all that it calls, are the same.
[[nodiscard]] Taught teach(const CodeView& code, u32 entry, const TeachOptions& options);

}  // namespace komuz::neural
