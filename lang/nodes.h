// SPDX-License-Identifier: Apache-2.0
// Nodes of the tree as an enumeration, with a row for each.
#pragma once
#include <string_view>

#include "lang/ops.h"

namespace komuz {

enum class Node : u8 {
#define NODE(Name, spelling, level, side, cls, op, children) Name,
#include "lang/nodes.def"
};
inline constexpr u32 kNodeCount = 0
#define NODE(Name, spelling, level, side, cls, op, children) +1
#include "lang/nodes.def"
    ;

enum class Side : u8 { Left, Right, None, Prefix, Leaf, Open };
enum class NodeClass : u8 {
  Arithmetic,  // T T -> T
  Shift,       // T A -> T
  Compare,     // T T -> bool
  Lazy,        // bool bool -> bool, the right one only if needed
  Unary,       // T -> T
  Update,      // place op= value
  Other,
};

inline constexpr u8 kLeafLevel = 26;
inline constexpr u8 kMustLeft = 1, kMustRight = 2, kMayLeft = 4, kMayRight = 8;

struct NodeRow {
  std::string_view spelling;
  u8 level;
  Side side;
  NodeClass node_class;
  Op op;
  u8 children;  // kMust… and kMay…
};

constexpr u8 children_mask(std::string_view text) {
  u8 mask = 0;
  for (const char c : text) {
    if (c == 'L') mask |= kMustLeft | kMayLeft;
    if (c == 'R') mask |= kMustRight | kMayRight;
    if (c == 'l') mask |= kMayLeft;
    if (c == 'r') mask |= kMayRight;
  }
  return mask;
}
HD_TABLE NodeRow kNodeRows[kNodeCount] = {
#define NODE(Name, spelling, level, side, cls, op, children) \
  {spelling, level, Side::side, NodeClass::cls, Op::op, children_mask(children)},
#include "lang/nodes.def"
};
HD constexpr const NodeRow& node_row(Node n) { return kNodeRows[static_cast<u8>(n)]; }

// The key of a node inside its bracket level: twice the precedence; odd if equal operators group to the right.
HD constexpr u8 node_key(Node n) {
  const NodeRow& row = node_row(n);
  const bool right = row.side == Side::Right || row.side == Side::Prefix;
  return static_cast<u8>(row.level * 2 + (right ? 1 : 0));
}
// Even, since the parity of a key matters; small enough that 1,024 levels fit into 16 bits.
inline constexpr u32 kKeysPerDepth = 56;
static_assert(kLeafLevel * 2 + 1 < kKeysPerDepth && kKeysPerDepth % 2 == 0);

}  // namespace komuz
