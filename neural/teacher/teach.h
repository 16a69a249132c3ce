// SPDX-License-Identifier: Apache-2.0
// The teacher: the cheapest code that it finds for a function. It takes each window out (neural/windows), looks for
// cheaper code, proves what it finds (neural/equal), and puts it back. Cheaper code comes from rules (rules.def), and from
// enumeration of short expressions (improve.h). Limits are on work and never on time, so the same code comes out on every
// machine.
#pragma once
#include <stop_token>
#include <vector>

#include "lang/code.h"
#include "neural/equal/equality.h"
#include "neural/teacher/improve.h"
#include "neural/teacher/rewrite.h"

namespace komuz::neural {

struct TeachOptions {
  EnumerationLimits limits = {};
  u32 inputs = 64;                  // that outcomes are compared on
  u32 parts = 12;                   // expressions that are looked at in a window
  u64 resources = kProofResources;  // of the solver, for each expression and each window
  const std::stop_token* stop = nullptr;
};

// A lone function and the cheapest code found for it.
struct TaughtWindow {
  Code code;  // checked; the same as before if nothing was found
  bool is_cheaper = false;
  u64 cost_before = 0, cost_after = 0;  // cost_of_code()
  RewriteStats rules;
  u32 enumerated = 0;  // expressions that enumeration made cheaper, behind the rules
  Evidence evidence = Evidence::Solver;  // of its proof
  u32 refused = 0;                       // cheaper code that was not proved
};
// `lone` is checked, and a function as of windows.h.
[[nodiscard]] TaughtWindow teach_window(const CodeView& lone, const TeachOptions& options);

// A window that was replaced.
struct Replacement {
  u32 function = 0;
  u64 cost_before = 0, cost_after = 0;
  Evidence evidence = Evidence::Solver;
};

struct Taught {
  Code code;  // checked; the same as before if nothing was found
  std::vector<Replacement> replacements;
  u32 refused = 0;  // cheaper code of windows that was not proved
  bool is_given_up =
      false;  // the whole did not pass the checker or a test, and nothing was replaced
};

// `code` is checked. Outcomes and ticks of the entry, and of all that it calls, are the same.
[[nodiscard]] Taught teach(const CodeView& code, u32 entry, const TeachOptions& options);

}  // namespace komuz::neural
