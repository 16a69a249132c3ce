// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/simplify.h"

#include <algorithm>
#include <bit>

#include "neural/teacher/evaluate.h"

namespace komuz::neural {
namespace {

// Rules that are applied to one function; more than any needs.
constexpr u32 kMostSteps = 2'000;

// What may be evaluated on all ways, where it was on some alone: about as much as a branch and the few sums that lanes
// that agree would have left out.
constexpr u32 kMostHurried = 60;

// What one side of a rule evaluates, in order, up to the last of the variables in `trapping`.
struct Evaluated {
  std::array<u8, kMostVariables> order = {};  // those variables that are evaluated in any case
  u32 count = 0;
  u32 seen = 0;            // their bits
  TrapSet before = 0;      // traps of operations before the last of them
  TrapSet pending = 0;     // traps of operations since
  bool has_other = false;  // a variable is evaluated on some ways before it is in any case
};
void evaluate_side(const Rule& rule, u8 at, std::span<const TrapSet> traps, bool is_certain,
                   Evaluated& out) {
  const PatternNode& n = rule.nodes[at];
  if (is_variable(n.kind)) {
    if (traps[n.variable] == 0 || (out.seen >> n.variable & 1) != 0) return;
    if (!is_certain) {
      out.pending |= traps[n.variable];
      return;
    }
    out.before |= out.pending;
    out.pending = 0;
    out.seen |= 1u << n.variable;
    out.order[out.count++] = n.variable;
    return;
  }
  const bool has_arms =
      n.kind == PatternKind::If || n.kind == PatternKind::And || n.kind == PatternKind::Or;
  for (u32 k = 0; k < n.operands; ++k)
    evaluate_side(rule, n.operand[k], traps, is_certain && !(has_arms && k != 0), out);
  if (n.kind == PatternKind::Operation && may_trap(n.instruction.op, n.instruction.type))
    out.pending |= op_row(n.instruction.op).traps;
}

// Where an operand stands in one that commutes: operations first, constants last.
u32 rank_of(const ValueNode& node) {
  if (node.is_constant()) return 2;
  return node.is_leaf() ? 1 : 0;
}
bool is_behind(const ValueNode& a, const ValueNode& b) {
  const u32 rank_a = rank_of(a), rank_b = rank_of(b);
  if (rank_a != rank_b) return rank_a > rank_b;
  if (a.kind == ValueKind::Input && b.kind == ValueKind::Input)
    return a.instruction.a > b.instruction.a;
  if (a.kind == ValueKind::Operation && b.kind == ValueKind::Operation &&
      a.instruction.op != b.instruction.op)
    return a.instruction.op > b.instruction.op;
  return a.hash > b.hash;
}

}  // namespace

bool keeps_traps(const Rule& rule, std::span<const TrapSet> traps) {
  TrapSet all = 0;
  u32 trapping = 0;
  for (u32 v = 0; v < rule.variables; ++v) {
    all |= traps[v];
    if (traps[v] != 0) trapping |= 1u << v;
  }
  if (all == 0) return true;
  Evaluated from, to;
  evaluate_side(rule, rule.from, traps, true, from);
  evaluate_side(rule, rule.to, traps, true, to);
  if (from.seen != trapping || to.seen != trapping) return false;
  if (is_one_kind(all | from.before | to.before)) return true;
  return from.before == 0 && to.before == 0 && from.order == to.order;
}

bool Simplifier::match(const Rule& rule, const PatternNode& pattern, u32 node) {
  const ValueNode& n = graph_[node];
  if (n.type != pattern.type) return false;
  switch (pattern.kind) {
    case PatternKind::Varying:
      if (n.is_constant()) return false;
      break;
    case PatternKind::Fixed:
      if (!n.is_constant()) return false;
      break;
    case PatternKind::Power:
      if (!n.is_constant() || !std::has_single_bit(n.cell) ||
          (is_signed(n.type) && static_cast<i64>(n.cell) < 0))
        return false;
      break;
    case PatternKind::Any: break;
    case PatternKind::Constant: return n.is_constant() && n.cell == pattern.cell;
    case PatternKind::Operation: {
      const Instruction &i = pattern.instruction, &j = n.instruction;
      return n.kind == ValueKind::Operation && i.op == j.op && i.type == j.type && i.a == j.a &&
             match_operands(rule, pattern, n.operand);
    }
    case PatternKind::If:
      return n.kind == ValueKind::If && match_operands(rule, pattern, n.operand);
    case PatternKind::And:
      return n.kind == ValueKind::And && match_operands(rule, pattern, n.operand);
    case PatternKind::Or:
      return n.kind == ValueKind::Or && match_operands(rule, pattern, n.operand);
  }
  const u32 bit = 1u << pattern.variable;
  if ((bound_set_ & bit) != 0) return bound_[pattern.variable] == node;
  bound_set_ |= bit;
  bound_[pattern.variable] = node;
  return true;
}

bool Simplifier::match_operands(const Rule& rule, const PatternNode& pattern,
                                std::span<const u32> operands) {
  for (u32 k = 0; k < pattern.operands; ++k)
    if (!match(rule, rule.nodes[pattern.operand[k]], operands[k])) return false;
  return true;
}

// With its variables bound.
bool Simplifier::may_apply(const Rule& rule) {
  std::array<TrapSet, kMostVariables> traps = {};
  TrapSet all = 0;
  for (u32 v = 0; v < rule.variables; ++v) {
    const ValueNode& node = graph_[bound_[v]];
    all |= traps[v] = node.traps;
    if ((rule.copied >> v & 1) != 0 && !node.is_leaf()) return false;
    if ((rule.hurried >> v & 1) != 0 && node.cost > kMostHurried) return false;
  }
  if (all != 0 && !keeps_traps(rule, traps)) return false;
  if (rule.condition == kNoPattern) return true;
  const ValueNode& condition = graph_[make(rule, rule.condition)];
  return condition.is_constant() && condition.cell != 0;
}

bool Simplifier::apply(const Root& root, u32& made) {
  if (steps_ >= kMostSteps) return false;
  for (const Rule& rule : rules_.at(root.kind, root.instruction.op, root.type)) {
    const PatternNode& pattern = rule.root();
    if (pattern.instruction.a != root.instruction.a) continue;
    bound_set_ = 0;
    if (!match_operands(rule, pattern, root.operands)) continue;
    // What the rule makes is matched with rules, too.
    const auto bound = bound_;
    const bool applies = may_apply(rule);
    bound_ = bound;
    if (!applies) continue;
    ++steps_;
    ++stats_.rules;
    made = make(rule, rule.to);
    return true;
  }
  return false;
}

u32 Simplifier::make(const Rule& rule, u8 at) {
  const PatternNode& n = rule.nodes[at];
  if (is_variable(n.kind)) return bound_[n.variable];
  if (n.kind == PatternKind::Constant) return graph_.constant(n.type, n.cell);
  const auto bound = bound_;
  std::array<u32, 3> operands = {};
  for (u32 k = 0; k < n.operands; ++k) {
    operands[k] = make(rule, n.operand[k]);
    bound_ = bound;
  }
  const std::span<const u32> made = std::span(operands).first(n.operands);
  switch (n.kind) {
    case PatternKind::If: return choice(ValueKind::If, made);
    case PatternKind::And: return choice(ValueKind::And, made);
    case PatternKind::Or: return choice(ValueKind::Or, made);
    default: return operation(n.instruction, made);
  }
}

bool Simplifier::fold(Instruction i, std::span<const u32> operands, u32& made) {
  u64 cells[3] = {};
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!graph_[operands[k]].is_constant()) return false;
    cells[k] = graph_[operands[k]].cell;
  }
  const ValueOutcome cell = evaluate_cells(i, cells);
  // What always traps stays.
  if (cell.trap != Trap::None) return false;
  ++stats_.folded;
  made = graph_.constant(result_type(op_row(i.op).form, i.type), cell.cell);
  return true;
}

u32 Simplifier::operation(Instruction i, std::span<const u32> given) {
  u32 made = 0;
  if (fold(i, given, made)) return made;
  std::array<u32, 3> operand = {};
  std::ranges::copy(given, operand.begin());
  const std::span<const u32> operands = std::span(operand).first(given.size());
  // What a `let` at the first operand binds is evaluated first in any case.
  if (const ValueNode first = graph_[operand[0]]; first.kind == ValueKind::Let) {
    operand[0] = first.operand[1];
    return let(static_cast<u32>(first.cell), first.operand[0], operation(i, operands));
  }
  if (operands.size() == 2 && is_commutative(i.op, i.type)) {
    const ValueNode &a = graph_[operand[0]], &b = graph_[operand[1]];
    const bool may_swap = a.traps == 0 || b.traps == 0 || is_one_kind(a.traps | b.traps);
    if (may_swap && is_behind(a, b)) std::swap(operand[0], operand[1]);
  }
  i.b = 0;
  if (apply({PatternKind::Operation, i, i.type, operands}, made)) return made;
  return graph_.operation(i, operands);
}

u32 Simplifier::choice(ValueKind kind, std::span<const u32> given) {
  std::array<u32, 3> operand = {};
  std::ranges::copy(given, operand.begin());
  const std::span<const u32> operands = std::span(operand).first(given.size());
  const ValueNode test = graph_[operand[0]];
  if (test.kind == ValueKind::Let) {
    operand[0] = test.operand[1];
    return let(static_cast<u32>(test.cell), test.operand[0], choice(kind, operands));
  }
  if (test.is_constant()) {
    ++stats_.folded;
    if (kind == ValueKind::If) return operand[test.cell != 0 ? 1 : 2];
    const bool decides = (test.cell != 0) == (kind == ValueKind::Or);
    return operand[decides ? 0 : 1];
  }
  // Arms know which way they were taken.
  if (kind == ValueKind::If) operand[2] = assumed(operand[2], operand[0], false);
  operand[1] = assumed(operand[1], operand[0], kind != ValueKind::Or);
  const PatternKind pattern = kind == ValueKind::If    ? PatternKind::If
                              : kind == ValueKind::And ? PatternKind::And
                                                       : PatternKind::Or;
  u32 made = 0;
  if (apply({pattern, {}, graph_[operands.back()].type, operands}, made)) return made;
  if (kind == ValueKind::If && hoist(operands, made)) return made;
  return graph_.choice(kind, operands);
}

bool Simplifier::hoist(std::span<const u32> operands, u32& made) {
  const ValueNode first = graph_[operands[1]], second = graph_[operands[2]];
  if (first.kind != ValueKind::Operation || second.kind != ValueKind::Operation ||
      first.instruction != second.instruction || steps_ >= kMostSteps)
    return false;
  u32 place = 0, differ = 0;
  for (u32 k = 0; k < first.operands; ++k)
    if (first.operand[k] != second.operand[k]) {
      place = k;
      ++differ;
    }
  if (differ != 1) return false;
  // What stands before that place is then evaluated before the condition.
  const TrapSet condition = graph_[operands[0]].traps;
  for (u32 k = 0; k < place; ++k) {
    const TrapSet before = graph_[first.operand[k]].traps;
    if (condition != 0 && before != 0 && !is_one_kind(condition | before)) return false;
  }
  ++steps_;
  ++stats_.rules;
  std::array<u32, 3> operand = first.operand;
  const u32 parts[] = {operands[0], first.operand[place], second.operand[place]};
  operand[place] = choice(ValueKind::If, parts);
  made = operation(first.instruction, std::span(operand).first(first.operands));
  return true;
}

u32 Simplifier::assumed(u32 root, u32 condition, bool value) {
  const ValueNode test = graph_[condition];
  if (test.is_constant() || graph_[root].is_constant()) return root;
  if (graph_.uses(root, condition))
    root = replaced(root, condition, graph_.constant(Scalar::Bool, value ? 1 : 0));
  const Op op = test.kind == ValueKind::Operation ? test.instruction.op : Op::Jump;
  if (op == Op::Not) return assumed(root, test.operand[0], !value);
  // Both parts of a conjunction are true, and both of a disjunction are false.
  const bool is_both = value ? test.kind == ValueKind::And || op == Op::And
                             : test.kind == ValueKind::Or || op == Op::Or;
  if (is_both) {
    root = assumed(root, test.operand[0], value);
    return assumed(root, test.operand[1], value);
  }
  // Equal floats may be zeros of both signs.
  const bool is_equal = op == (value ? Op::Eq : Op::Ne) && !is_float(test.instruction.type);
  if (is_equal && graph_[test.operand[1]].is_constant() && graph_.uses(root, test.operand[0]))
    root = replaced(root, test.operand[0], test.operand[1]);
  return root;
}

u32 Simplifier::let(u32 number, u32 value, u32 body) {
  const ValueNode bound = graph_[value];
  // A `let` in the value comes first.
  if (bound.kind == ValueKind::Let)
    return let(static_cast<u32>(bound.cell), bound.operand[0], let(number, bound.operand[1], body));
  const u32 local = graph_.local(number, bound.type);
  const ValueGraph::Reach reach = graph_.reach(body, local);
  const bool is_first =
      reach.is_reached && (reach.before == 0 || is_one_kind(reach.before | bound.traps));
  const bool goes_in = bound.traps == 0 || is_first;
  if (!goes_in) return graph_.let(number, value, body);
  ++stats_.lets;
  return replaced(body, local, value);
}

u32 Simplifier::replaced(u32 root, u32 node, u32 by) {
  std::vector<u32> made(root + 1, ~0u);
  const auto visit = [&](const auto& self, u32 at) -> u32 {
    if (at == node) return by;
    if (at < node || made[at] != ~0u) return at < node ? at : made[at];
    const ValueNode n = graph_[at];
    std::array<u32, 3> operand = {};
    bool is_changed = false;
    for (u32 k = 0; k < n.operands; ++k) {
      operand[k] = self(self, n.operand[k]);
      is_changed = is_changed || operand[k] != n.operand[k];
    }
    u32 result = at;
    const std::span<const u32> operands = std::span(operand).first(n.operands);
    if (is_changed) {
      if (n.kind == ValueKind::Operation)
        result = operation(n.instruction, operands);
      else if (n.kind == ValueKind::Let)
        result = let(static_cast<u32>(n.cell), operand[0], operand[1]);
      else
        result = choice(n.kind, operands);
    }
    return made[at] = result;
  };
  return visit(visit, root);
}

}  // namespace komuz::neural
