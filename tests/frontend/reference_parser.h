// SPDX-License-Identifier: Apache-2.0
// The tree by precedence climbing, one item at a time: slow, recursive, and written from language.md, "Grammar", not
// from the front end's keys. It reads the nodes in the order of the layout pass, and the brackets around them.
#pragma once
#include <vector>

#include "lang/nodes.h"

namespace komuz::test {

inline constexpr u32 kNoNode = ~0u;

// An element of a row: a node, or a closing bracket (which is no node).
struct RowElement {
  Node kind = Node::None;
  u32 node = kNoNode;
  bool closes = false;
};

struct ReferenceTree {
  std::vector<u32> left, right;  // by node; kNoNode: none
  std::vector<u32> order;        // nodes in post-order
};

// The tree of a row whose brackets match. `node` numbers the children; `nodes` is one more than the largest number.
[[nodiscard]] ReferenceTree parse_row(const std::vector<RowElement>& row, u32 nodes);

}  // namespace komuz::test
