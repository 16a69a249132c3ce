// SPDX-License-Identifier: Apache-2.0
// A part of a graph by itself: what hangs below a node, down to leaves and to values that cannot trap, which become its
// inputs.
#pragma once
#include <optional>
#include <vector>

#include "neural/equal/equality.h"
#include "neural/teacher/graph.h"

namespace komuz::neural {

class Part {
 public:
  static constexpr u32 kMostInputs = 4;  // more make expressions too many

  // None if there is no such part with an operation below its root.
  [[nodiscard]] static std::optional<Part> below(const ValueGraph& graph, u32 node);

  [[nodiscard]] const ValueGraph& graph() const { return graph_; }
  [[nodiscard]] u32 root() const { return root_; }
  [[nodiscard]] std::span<const Scalar> inputs() const { return types_; }
  // The node of the whole that each input is.
  [[nodiscard]] std::span<const u32> nodes() const { return nodes_; }

  // The code of a node of a graph with the same inputs; empty if it does not fit into a window.
  [[nodiscard]] Code code_of(const ValueGraph& graph, u32 node) const;

 private:
  Part() = default;
  ValueGraph graph_;
  u32 root_ = 0;
  std::vector<Scalar> types_;
  std::vector<u32> nodes_;
};

// Rows of cells for the parameters of a function, that depend on its code alone.
[[nodiscard]] std::vector<std::vector<u64>> guided_rows(const CodeView& code, u32 count);

}  // namespace komuz::neural
