// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/evaluate.h"

#include "lang/ops/eval_cells.h"

namespace komuz::neural {

// Here alone, as all operations are expanded.
ValueOutcome evaluate_cells(Instruction i, const u64* operands) {
  const EvaluatedCell made = eval_cells(i, operands);
  return {made.value, made.trap};
}

namespace {

ValueOutcome evaluate_node(const ValueNode& n, const std::vector<u64>& row,
                           const std::vector<ValueOutcome>& outcomes) {
  const auto operand = [&](u32 k) -> const ValueOutcome& { return outcomes[n.operand[k]]; };
  switch (n.kind) {
    case ValueKind::Input: return {row[n.instruction.a], Trap::None};
    case ValueKind::Constant: return {n.cell, Trap::None};
    case ValueKind::Operation: {
      u64 cells[3] = {};
      for (u32 k = 0; k < n.operands; ++k) {
        if (operand(k).trap != Trap::None) return operand(k);
        cells[k] = operand(k).cell;
      }
      return evaluate_cells(n.instruction, cells);
    }
    case ValueKind::If:
      if (operand(0).trap != Trap::None) return operand(0);
      return operand(operand(0).cell != 0 ? 1 : 2);
    case ValueKind::And:
    case ValueKind::Or: {
      const bool decides = (operand(0).cell != 0) == (n.kind == ValueKind::Or);
      return operand(0).trap != Trap::None || decides ? operand(0) : operand(1);
    }
    case ValueKind::Local:
    case ValueKind::Let: break;
  }
  return {};
}

}  // namespace

std::vector<ValueOutcome> evaluate_rows(const ValueGraph& graph, u32 root,
                                        std::span<const std::vector<u64>> rows) {
  // Arms that are not taken may trap: a trap waits until it is used.
  std::vector<bool> is_used(root + 1, false);
  is_used[root] = true;
  for (u32 n = root + 1; n-- > 0;)
    if (is_used[n])
      for (u32 k = 0; k < graph[n].operands; ++k) is_used[graph[n].operand[k]] = true;
  std::vector<ValueOutcome> outcomes(root + 1), out;
  for (const std::vector<u64>& row : rows) {
    for (u32 n = 0; n <= root; ++n)
      if (is_used[n]) outcomes[n] = evaluate_node(graph[n], row, outcomes);
    out.push_back(outcomes[root]);
  }
  return out;
}

}  // namespace komuz::neural
