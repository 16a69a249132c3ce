// SPDX-License-Identifier: Apache-2.0
#include "services/format/tree.h"

namespace komuz::services {

Tree::Tree(const Columns& columns)
    : c(columns),
      left_(c.left, c.left + c.nodes),
      right_(c.right, c.right + c.nodes),
      parent_(c.nodes, kNone),
      node_of_(c.tokens, kNone),
      mate_(c.tokens, kNone) {
  for (Index i = 0; i < c.nodes; ++i) {
    if (left_[i] != kNone) parent_[left_[i]] = i;
    if (right_[i] != kNone) parent_[right_[i]] = i;
  }
  // The last of a token's nodes is its own; a closing bracket has none.
  for (Index i = 0; i < c.nodes; ++i) node_of_[c.token[i]] = i;
  for (u32 b = 0; b < c.brackets; ++b)
    if (c.bracket_mate[b] != kNone) mate_[c.bracket_token[b]] = c.bracket_token[c.bracket_mate[b]];
}

Index Tree::last_token(Index i) const {
  const Index last = c.end[i] - 1;
  const u32 open = c.key[last] / kKeysPerDepth - c.key[i] / kKeysPerDepth;
  return c.token[last] + open + (node_row(kind(last)).side == Side::Open ? 1 : 0);
}

void Tree::unwrap(Index parentheses) {
  const Index content = right_[parentheses], above = parent_[parentheses];
  Index& place = left_[above] == parentheses ? left_[above] : right_[above];
  place = content;
  parent_[content] = above;
}

}  // namespace komuz::services
