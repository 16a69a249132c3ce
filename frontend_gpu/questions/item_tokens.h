// SPDX-License-Identifier: Apache-2.0
// The tokens of an item, for those who look at an item that is in error.
#pragma once
#include <vector>

#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend {

// The node at which each item starts.
[[nodiscard]] inline std::vector<Index> find_first_nodes(const Columns& c) {
  std::vector<Index> first(c.items, kNone);
  for (Index i = c.nodes; i-- > 0;) first[c.item[i]] = i;
  return first;
}

// The tokens of an item, [first, end).
struct TokenRange {
  Index first, end;
};
[[nodiscard]] inline TokenRange tokens_of(const Columns& c, const std::vector<Index>& first_nodes,
                                          Index item) {
  const Index first = c.token[first_nodes[item]];
  return {first, item + 1 < c.items ? c.token[first_nodes[item + 1]] : c.tokens};
}

}  // namespace komuz::frontend
