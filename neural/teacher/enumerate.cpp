// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/enumerate.h"

#include <algorithm>
#include <array>
#include <set>

#include "lang/ops.h"

namespace komuz::neural {
namespace {

using Kind = ExpressionNode::Kind;

u64 mixed(u64 hash, u64 word) {
  hash = (hash ^ word) * 0x9E37'79B9'7F4A'7C15u;
  return hash ^ hash >> 29;
}
u64 hash_of(Scalar type, std::span<const ExpressionOutcome> outcomes) {
  u64 hash = static_cast<u64>(type);
  for (const ExpressionOutcome& outcome : outcomes)
    hash = mixed(mixed(hash, outcome.cell), static_cast<u64>(outcome.trap));
  return hash;
}

// The types of an operation's operands; what a form says of them alone.
Scalar operand_type(Instruction i, u32 operand) {
  const OpForm form = op_row(i.op).form;
  if (form == OpForm::Convert || (form == OpForm::Shift && operand == 1))
    return static_cast<Scalar>(i.a);
  return i.type;
}

// Is it among the usual ones? The functions of mathematics and conversions are taken from the sample alone.
bool is_usual(Op op) {
  const OpForm form = op_row(op).form;
  return is_pure_form(form) && form != OpForm::Convert && form != OpForm::Shift &&
         form != OpForm::Near && !is_mathematical(op) && op != Op::Rand;
}

}  // namespace

Enumeration::Enumeration(std::span<const Scalar> slots, std::span<const std::vector<u64>> inputs,
                         const Expression& sample, const EnumerationLimits& limits)
    : slots_(slots.begin(), slots.end()), inputs_(inputs), limits_(limits), made_(inputs.size()) {
  collect_operations(sample);
  add_leaves(sample);
  for (u32 n = 2; n <= limits_.instructions && !is_full(); ++n) grow(n);
}

void Enumeration::collect_operations(const Expression& sample) {
  std::set<Scalar> types = {sample.nodes.back().type};
  const auto key = [](Instruction i) { return u32(i.op) << 16 | u32(i.type) << 8 | i.a; };
  std::set<u32> known;
  const auto add = [&](Instruction i) {
    if (known.insert(key(i)).second) operations_.push_back(i);
  };
  for (const ExpressionNode& node : sample.nodes) {
    types.insert(node.type);
    if (node.kind == Kind::Operation) add(node.instruction);
  }
  for (u32 number = 0; number < kOpCount; ++number) {
    const Op op = static_cast<Op>(number);
    if (!is_usual(op)) continue;
    for (const Scalar type : types)
      if ((op_row(op).types & type_bit(type)) != 0) add({op, type, 0, 0});
  }
}

void Enumeration::add_leaves(const Expression& sample) {
  const auto leaf = [&](const ExpressionNode& node) {
    Expression alone;
    alone.nodes.push_back(node);
    for (size_t k = 0; k < inputs_.size(); ++k) made_[k] = evaluate_expression(alone, inputs_[k]);
    keep({node, 1, cost_of(alone)});
  };
  for (u16 slot = 0; slot < slots_.size(); ++slot)
    leaf({.kind = Kind::Slot,
          .type = slots_[slot],
          .instruction = {Op::LoadVar, slots_[slot], slot, 0}});
  std::set<Scalar> types;
  for (const ExpressionNode& node : sample.nodes) {
    types.insert(node.type);
    if (node.kind == Kind::Constant) leaf(node);
  }
  for (const Scalar type : types)
    for (const u64 number : {0, 1}) {
      if (is_float(type)) continue;
      leaf({.kind = Kind::Constant, .type = type, .cell = number});
    }
}

// All expressions of so many instructions over those that are kept.
void Enumeration::grow(u32 instructions) {
  const u32 count = static_cast<u32>(entries_.size());
  for (const Instruction operation : operations_) {
    const u32 operands = operand_count(op_row(operation.op).form);
    const auto fits = [&](u32 entry, u32 operand) {
      return entries_[entry].node.type == operand_type(operation, operand);
    };
    const u32 left = instructions - 1;
    for (u32 a = 0; a < count && !is_full(); ++a) {
      if (!fits(a, 0) || entries_[a].instructions > left) continue;
      if (operands == 1) {
        if (entries_[a].instructions == left) combine(operation, std::array{a});
        continue;
      }
      for (u32 b = 0; b < count && !is_full(); ++b) {
        const u32 both = entries_[a].instructions + entries_[b].instructions;
        if (!fits(b, 1) || both > left) continue;
        if (operands == 2) {
          if (both == left) combine(operation, std::array{a, b});
          continue;
        }
        for (u32 c = 0; c < count && !is_full(); ++c)
          if (fits(c, 2) && both + entries_[c].instructions == left)
            combine(operation, std::array{a, b, c});
      }
    }
  }
}

void Enumeration::combine(Instruction operation, std::span<const u32> operands) {
  u64 cost = cost_of(operation);
  Entry entry{.node = {.kind = Kind::Operation,
                       .type = result_type(op_row(operation.op).form, operation.type),
                       .instruction = operation,
                       .operands = static_cast<u8>(operands.size())},
              .instructions = 1};
  for (size_t k = 0; k < operands.size(); ++k) {
    entry.node.operand[k] = operands[k];
    entry.instructions += entries_[operands[k]].instructions;
    cost += entries_[operands[k]].cost;
  }
  entry.cost = cost;
  for (size_t row = 0; row < inputs_.size(); ++row) {
    u64 cells[3] = {};
    ExpressionOutcome outcome;
    for (size_t k = 0; k < operands.size() && outcome.trap == Trap::None; ++k) {
      const ExpressionOutcome& of = outcomes_of(operands[k])[row];
      cells[k] = of.cell;
      outcome.trap = of.trap;
    }
    made_[row] = outcome.trap == Trap::None ? evaluate_operation(operation, cells) : outcome;
  }
  keep(entry);
}

std::span<const ExpressionOutcome> Enumeration::outcomes_of(u32 entry) const {
  return std::span(outcomes_).subspan(entry * inputs_.size(), inputs_.size());
}
const u32* Enumeration::find_entry(Scalar type, std::span<const ExpressionOutcome> outcomes) const {
  const auto [begin, end] = by_hash_.equal_range(hash_of(type, outcomes));
  for (auto at = begin; at != end; ++at)
    if (entries_[at->second].node.type == type &&
        std::ranges::equal(outcomes_of(at->second), outcomes))
      return &at->second;
  return nullptr;
}

// The expression with the outcomes in made_.
void Enumeration::keep(const Entry& entry) {
  if (const u32* known = find_entry(entry.node.type, made_)) {
    // It may not become one that is built on itself.
    Entry& old = entries_[*known];
    const bool is_before = std::all_of(entry.node.operand, entry.node.operand + entry.node.operands,
                                       [&](u32 operand) { return operand < *known; });
    if (entry.cost < old.cost && is_before) old = entry;
    return;
  }
  by_hash_.emplace(hash_of(entry.node.type, made_), static_cast<u32>(entries_.size()));
  entries_.push_back(entry);
  outcomes_.insert(outcomes_.end(), made_.begin(), made_.end());
}

u32 Enumeration::write(u32 entry, Expression& out) const {
  ExpressionNode node = entries_[entry].node;
  for (u32 k = 0; k < node.operands; ++k) node.operand[k] = write(node.operand[k], out);
  return out.add(node);
}

Expression Enumeration::find(Scalar type, std::span<const ExpressionOutcome> outcomes) const {
  Expression out;
  if (const u32* entry = find_entry(type, outcomes)) write(*entry, out);
  return out;
}

}  // namespace komuz::neural
