// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/rewrite.h"

#include <optional>

#include "lang/check/check_code.h"
#include "lang/copy_code.h"
#include "neural/teacher/costs.h"

namespace komuz::neural {

Rewriter::Rewriter(const RuleTable& rules)
    : simplifier_(graph_, rules, stats_), reader_(graph_, simplifier_), writer_(graph_) {}

Code Rewriter::rewrite(const CodeView& lone, RewriteStats* stats) {
  graph_.clear();
  simplifier_.start();
  stats_ = {};
  is_cheaper_ = false;
  Code made;
  if (const std::optional<u32> root = reader_.read(lone);
      root && writer_.write(lone, *root, made)) {
    const u64 before = cost_of_code(lone, 0), after = cost_of_code(made.view(), 0);
    // The checker sets the size of the frame.
    is_cheaper_ = after < before && !check_code(made.view(), made.functions);
  }
  if (!is_cheaper_) {
    stats_ = {};
    made = copy_code(lone);
  }
  stats_.shared = is_cheaper_ ? writer_.shared() : 0;
  if (stats != nullptr) *stats = stats_;
  return made;
}

Code rewrite(const CodeView& lone, RewriteStats* stats) { return Rewriter().rewrite(lone, stats); }

}  // namespace komuz::neural
