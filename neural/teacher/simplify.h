// SPDX-License-Identifier: Apache-2.0
// Builds a graph of values, and applies the rules to each node as it is made: its operands are as cheap as they get, so
// one look at its root is enough. Constants are folded, and operands that commute stand in one order.
//
// A rule is proved for variables that cannot trap. Where values that may trap stand for them, it is applied only if both
// sides evaluate them in any case, and in the same order, or if all that may trap before does it in the same way.
#pragma once
#include "neural/teacher/rules.h"

namespace komuz::neural {

// What happened on the way.
struct RewriteStats {
  u32 rules = 0;   // that were applied, those that only change the form included
  u32 folded = 0;  // operations on constants
  u32 shared = 0;  // values that are computed once and kept in a slot
  u32 lets = 0;    // slots whose values went where they are used
};

// Does a rule keep the trap, if values that may trap in these ways stand for its variables? They are by variable.
[[nodiscard]] bool keeps_traps(const Rule& rule, std::span<const TrapSet> traps);

class Simplifier {
 public:
  Simplifier(ValueGraph& graph, const RuleTable& rules, RewriteStats& stats)
      : graph_(graph), rules_(rules), stats_(stats) {}
  void start() { steps_ = 0; }

  u32 operation(Instruction i, std::span<const u32> operands);
  u32 choice(ValueKind kind, std::span<const u32> operands);
  // The value goes where it is used, if it is evaluated there in any case, before all that traps in another way.
  u32 let(u32 number, u32 value, u32 body);

  // The tree below `root` with another node in the place of one.
  u32 replaced(u32 root, u32 node, u32 by);

 private:
  struct Root {
    PatternKind kind;
    Instruction instruction;
    Scalar type;
    std::span<const u32> operands;
  };
  // Sets `made` to what a rule gives.
  bool apply(const Root& root, u32& made);
  bool match(const Rule& rule, const PatternNode& pattern, u32 node);
  bool match_operands(const Rule& rule, const PatternNode& pattern, std::span<const u32> operands);
  bool may_apply(const Rule& rule);
  u32 make(const Rule& rule, u8 pattern);
  // An `if` whose arms are the same operation on operands that differ in one place: the operation on an `if`.
  bool hoist(std::span<const u32> operands, u32& made);
  // The tree below `root`, where a condition is known.
  u32 assumed(u32 root, u32 condition, bool value);
  bool fold(Instruction i, std::span<const u32> operands, u32& made);

  ValueGraph& graph_;
  const RuleTable& rules_;
  RewriteStats& stats_;
  std::array<u32, kMostVariables> bound_ = {};
  u32 bound_set_ = 0;  // bit v: variable v has a value
  u32 steps_ = 0;
};

}  // namespace komuz::neural
