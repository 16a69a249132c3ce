// SPDX-License-Identifier: Apache-2.0
// The cheapest code that the proved rules (rules.def) give for a lone function (neural/windows/windows.h). It asks no
// solver and runs nothing, so it takes microseconds. Traps, values and ticks are the same: each rule is proved, and
// how rules are put together keeps the order of traps (graph.h, simplify.h).
#pragma once
#include "neural/teacher/read_code.h"
#include "neural/teacher/write_code.h"

namespace komuz::neural {

// A workspace for one thread; reused for one function after the other, it stops allocating most of what it needs.
class Rewriter {
 public:
  explicit Rewriter(const RuleTable& rules = RuleTable::get());
  Rewriter(const Rewriter&) = delete;

  // `lone` is checked, and so is what comes out: `lone` itself where nothing is cheaper (costs.h).
  [[nodiscard]] Code rewrite(const CodeView& lone, RewriteStats* stats = nullptr);
  // True if the last code is cheaper.
  [[nodiscard]] bool is_cheaper() const { return is_cheaper_; }

 private:
  ValueGraph graph_;
  RewriteStats stats_;
  Simplifier simplifier_;
  CodeReader reader_;
  CodeWriter writer_;
  bool is_cheaper_ = false;
};

[[nodiscard]] Code rewrite(const CodeView& lone, RewriteStats* stats = nullptr);

}  // namespace komuz::neural
