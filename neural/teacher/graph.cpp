// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/graph.h"

#include <algorithm>

#include "neural/teacher/costs.h"
#include "neural/teacher/evaluate.h"

namespace komuz::neural {
namespace {

constexpr u32 kTableSize = 1024;

u64 mix_hash(u64 hash, u64 word) {
  hash = (hash ^ word) * 0x9E37'79B9'7F4A'7C15u;
  return hash ^ hash >> 29;
}

constexpr TrapSet without(TrapSet traps, Trap trap) {
  return static_cast<TrapSet>(traps & ~(1u << static_cast<u32>(trap)));
}

i64 signed_cell(u64 cell) { return static_cast<i64>(cell); }

// True if each value of the integer type `from` is one of the type `to`.
bool fits_always(Scalar from, Scalar to) {
  if (from == to || is_float(to) || is_float(from) || from == Scalar::Bool) return true;
  if (is_signed(from) && !is_signed(to)) return false;
  return scalar_bytes(from) < scalar_bytes(to);
}

}  // namespace

TrapSet traps_of(const ValueGraph& graph, Instruction i, std::span<const u32> operands) {
  if (!may_trap(i.op, i.type)) return 0;
  TrapSet traps = op_row(i.op).traps;
  const ValueNode* last = operands.empty() ? nullptr : &graph[operands.back()];
  const bool is_known = last != nullptr && last->is_constant();
  switch (i.op) {
    case Op::Convert: return fits_always(static_cast<Scalar>(i.a), i.type) ? 0 : traps;
    case Op::Shl:
    case Op::Shr: {
      const Scalar amount = static_cast<Scalar>(i.a);
      return !is_signed(amount) || (is_known && signed_cell(last->cell) >= 0) ? 0 : traps;
    }
    case Op::Div:
    case Op::Rem:
    case Op::DivFloor:
    case Op::ModFloor:
      if (!is_signed(i.type)) traps = without(traps, Trap::Overflow);
      if (!is_known || last->cell == 0) return traps;
      traps = without(traps, Trap::DivZero);
      if (signed_cell(last->cell) != -1) traps = without(traps, Trap::Overflow);
      return traps;
    case Op::Pow:
      if (!is_signed(i.type) || (is_known && signed_cell(last->cell) >= 0))
        traps = without(traps, Trap::Range);
      return traps;
    case Op::Clamp: {
      if (!is_known || !graph[operands[1]].is_constant()) return traps;
      const u64 cells[] = {graph[operands[1]].cell, graph[operands[1]].cell, last->cell};
      return evaluate_cells(i, cells).trap == Trap::None ? 0 : traps;
    }
    default: return traps;
  }
}

u64 own_cost(const ValueGraph& graph, const ValueNode& n) {
  constexpr u64 kLoad = cost_of(OtherCost::Instruction);
  switch (n.kind) {
    case ValueKind::Input:
    case ValueKind::Local:
    case ValueKind::Constant: return kLoad;
    case ValueKind::Operation: {
      const ValueNode& last = graph[n.operand[n.operands - 1u]];
      return cost_of_operation(n.instruction, last.is_constant() ? &last.cell : nullptr);
    }
    case ValueKind::If: return 2 * cost_of(OtherCost::Instruction) + cost_of(OtherCost::Branch);
    case ValueKind::And:
    case ValueKind::Or: return cost_of(OtherCost::Instruction) + cost_of(OtherCost::Lazy);
    case ValueKind::Let: return kLoad + cost_of(OtherCost::Store);
  }
  return 0;
}

ValueGraph::ValueGraph() : table_(kTableSize, 0) { nodes_.reserve(256); }

void ValueGraph::clear() {
  nodes_.clear();
  std::ranges::fill(table_, 0);
}

u32 ValueGraph::add(ValueNode& node) {
  u64 hash = mix_hash(static_cast<u64>(node.kind) << 8 | static_cast<u64>(node.type), node.cell);
  hash = mix_hash(hash, static_cast<u64>(node.instruction.op) << 40 |
                            static_cast<u64>(node.instruction.type) << 32 | node.instruction.a);
  node.traps = node.own_traps;
  node.cost = static_cast<u32>(own_cost(*this, node));
  for (u32 k = 0; k < node.operands; ++k) {
    hash = mix_hash(hash, nodes_[node.operand[k]].hash);
    node.traps |= nodes_[node.operand[k]].traps;
    node.locals |= nodes_[node.operand[k]].locals;
    node.cost = std::min(kMostCost, node.cost + nodes_[node.operand[k]].cost);
  }
  if (node.kind == ValueKind::Local) node.locals = u64{1} << node.cell;
  if (node.kind == ValueKind::Let)
    node.locals =
        nodes_[node.operand[0]].locals | (nodes_[node.operand[1]].locals & ~(u64{1} << node.cell));
  node.hash = hash;
  if (nodes_.size() * 2 > table_.size()) {
    table_.assign(table_.size() * 2, 0);
    for (u32 n = 0; n < nodes_.size(); ++n) {
      u64 at = nodes_[n].hash;
      while (table_[at & (table_.size() - 1)] != 0) ++at;
      table_[at & (table_.size() - 1)] = n + 1;
    }
  }
  u64 at = hash;
  for (;; ++at) {
    u32& entry = table_[at & (table_.size() - 1)];
    if (entry == 0) {
      nodes_.push_back(node);
      return (entry = static_cast<u32>(nodes_.size())) - 1;
    }
    const ValueNode& other = nodes_[entry - 1];
    if (other.hash == hash && other.kind == node.kind && other.type == node.type &&
        other.instruction == node.instruction && other.cell == node.cell &&
        other.operands == node.operands && other.operand == node.operand)
      return entry - 1;
  }
}

u32 ValueGraph::input(u16 slot, Scalar type) {
  ValueNode node{
      .kind = ValueKind::Input, .type = type, .instruction = {Op::LoadVar, type, slot, 0}};
  return add(node);
}
u32 ValueGraph::local(u32 let, Scalar type) {
  ValueNode node{.kind = ValueKind::Local, .type = type, .cell = let};
  return add(node);
}
u32 ValueGraph::constant(Scalar type, u64 cell) {
  ValueNode node{.kind = ValueKind::Constant, .type = type, .cell = cell};
  return add(node);
}
u32 ValueGraph::operation(Instruction i, std::span<const u32> operands) {
  i.b = 0;
  ValueNode node{.kind = ValueKind::Operation,
                 .type = result_type(op_row(i.op).form, i.type),
                 .operands = static_cast<u8>(operands.size()),
                 .own_traps = traps_of(*this, i, operands),
                 .instruction = i};
  std::ranges::copy(operands, node.operand.begin());
  return add(node);
}
u32 ValueGraph::choice(ValueKind kind, std::span<const u32> operands) {
  ValueNode node{.kind = kind,
                 .type = nodes_[operands.back()].type,
                 .operands = static_cast<u8>(operands.size())};
  std::ranges::copy(operands, node.operand.begin());
  return add(node);
}
u32 ValueGraph::let(u32 number, u32 value, u32 body) {
  ValueNode node{.kind = ValueKind::Let,
                 .type = nodes_[body].type,
                 .operands = 2,
                 .cell = number,
                 .operand = {value, body, 0}};
  return add(node);
}

ValueGraph::Reach ValueGraph::reach(u32 root, u32 node) const {
  seen_.assign(nodes_.size(), 0);
  Reach reach;
  const auto visit = [&](const auto& self, u32 at) -> bool {
    if (at == node) return true;
    // Where it was before, the node was not reached, and its traps are known.
    if (seen_[at] != 0) return false;
    seen_[at] = 1;
    const ValueNode& n = nodes_[at];
    const bool has_arms =
        n.kind == ValueKind::If || n.kind == ValueKind::And || n.kind == ValueKind::Or;
    for (u32 k = 0; k < n.operands; ++k) {
      if (k != 0 && has_arms)
        reach.before |= nodes_[n.operand[k]].traps;
      else if (self(self, n.operand[k]))
        return true;
    }
    reach.before |= n.own_traps;
    return false;
  };
  reach.is_reached = visit(visit, root);
  return reach;
}

bool ValueGraph::uses(u32 root, u32 node) const {
  seen_.assign(nodes_.size(), 0);
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const u32 at = stack_.back();
    stack_.pop_back();
    if (at == node) return true;
    // Operands come before what uses them.
    if (at < node || seen_[at] != 0) continue;
    seen_[at] = 1;
    for (u32 k = 0; k < nodes_[at].operands; ++k) stack_.push_back(nodes_[at].operand[k]);
  }
  return false;
}

}  // namespace komuz::neural
