// SPDX-License-Identifier: Apache-2.0
// What operations and graphs of values give.
#pragma once
#include <span>
#include <vector>

#include "neural/teacher/graph.h"

namespace komuz::neural {

struct ValueOutcome {
  u64 cell = 0;
  Trap trap = Trap::None;
  bool operator==(const ValueOutcome&) const = default;
};
[[nodiscard]] ValueOutcome evaluate_cells(Instruction i, const u64* operands);

// The outcomes of a node, by row; a row has a cell for each input. There is no Let below the node.
[[nodiscard]] std::vector<ValueOutcome> evaluate_rows(const ValueGraph& graph, u32 root,
                                                      std::span<const std::vector<u64>> rows);

}  // namespace komuz::neural
