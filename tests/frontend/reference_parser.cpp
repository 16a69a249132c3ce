// SPDX-License-Identifier: Apache-2.0
#include "tests/frontend/reference_parser.h"

namespace komuz::test {

namespace {

// How tightly a node holds what stands on its left, and what it leaves to the operators inside its right operand. Where
// equals group to the right, or a prefix may follow one of its own level, the right side takes equals too.
struct Binding {
  u32 left, right;
};
Binding binding_of(Node kind) {
  const NodeRow& row = node_row(kind);
  switch (row.side) {
    case Side::Left:
    case Side::None:
    case Side::Leaf:
    case Side::Open: return {row.level * 2u, row.level * 2u + 1};
    case Side::Right:
    case Side::Prefix: return {row.level * 2u + 1, row.level * 2u + 1};
  }
  return {0, 0};
}

class Parser {
 public:
  Parser(const std::vector<RowElement>& row, u32 nodes) : row_(row) {
    tree_.left.assign(nodes, kNoNode);
    tree_.right.assign(nodes, kNoNode);
  }
  ReferenceTree parse() {
    append(expression(0));
    return std::move(tree_);
  }

 private:
  // Everything from here on that binds at least as tightly as `least`; kNoNode if that is nothing.
  u32 expression(u32 least) {
    u32 left = kNoNode;
    while (at_ < row_.size() && !row_[at_].closes) {
      const RowElement element = row_[at_];
      const Binding binding = binding_of(element.kind);
      if (binding.left < least) break;
      ++at_;
      u32 right = kNoNode;
      if (node_row(element.kind).side == Side::Open) {
        right = expression(0);
        ++at_;  // the closing bracket
      } else {
        right = expression(binding.right);
      }
      tree_.left[element.node] = left;
      tree_.right[element.node] = right;
      left = element.node;
    }
    return left;
  }
  void append(u32 node) {
    if (node == kNoNode) return;
    append(tree_.left[node]);
    append(tree_.right[node]);
    tree_.order.push_back(node);
  }

  const std::vector<RowElement>& row_;
  size_t at_ = 0;
  ReferenceTree tree_;
};

}  // namespace

ReferenceTree parse_row(const std::vector<RowElement>& row, u32 nodes) {
  return Parser(row, nodes).parse();
}

}  // namespace komuz::test
