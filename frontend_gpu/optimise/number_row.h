// SPDX-License-Identifier: Apache-2.0
// What a node's number follows from (optimise.h), as a row for each role, so that most nodes need no branch.
#pragma once
#include "frontend_gpu/columns/role.h"
#include "frontend_gpu/questions/neutral.h"
#include "lang/op_costs.h"

namespace komuz::frontend {

struct NumberRow {
  // When a closer look is due.
  static constexpr u8 kBothKnown = 1, kRightKnown = 2, kAsserted = 4, kAlways = 8, kLeftKnown = 16;

  // Each is all bits or none: an operation on scalars; a node with an operand on the left, or on the right, where
  // the value of a `let` counts as one; parentheses around a value, which have the value's number; a literal; the
  // name of a local variable.
  u32 operation = 0, left = 0, right = 0, group = 0, literal = 0, local = 0;
  u8 unusual = 0;
  // Bits of Neutral: a known operand on this side with one of these bits makes the other operand the result.
  u16 neutral_left = 0, neutral_right = 0;
  bool is_expensive = false;  // takes_long, for operators
};

constexpr u16 neutral_right_of(Node node) {
  switch (node) {
    case Node::Add: return Neutral::kOfSum;
    case Node::Sub:
    case Node::AddWrap:
    case Node::SubWrap:
    case Node::BitOr:
    case Node::BitXor:
    case Node::Shl:
    case Node::Shr: return Neutral::kZero;
    case Node::Mul:
    case Node::MulWrap:
    case Node::Div: return Neutral::kOne;
    case Node::BitAnd: return Neutral::kAllBits;
    default: return 0;
  }
}

struct NumberRows {
  NumberRow row[kRoleCount];
};
HD_TABLE NumberRows kNumberRows = [] {
  NumberRows rows{};
  const auto is_any = [](Node node, auto... nodes) { return ((node == nodes) || ...); };
  for (u32 k = 0; k < kNodeCount; ++k) {
    const Node node = static_cast<Node>(k);
    const NodeClass node_class = node_row(node).node_class;
    NumberRow& row = rows.row[k];
    if (node == Node::Call || node == Node::Pow) row.unusual = NumberRow::kAlways;
    if (node == Node::Pow) continue;  // the exponent of a product has no number
    if (node_class == NodeClass::Update || node_class == NodeClass::Other) continue;
    row.right = ~0u;
    row.left = node_class == NodeClass::Unary ? 0 : ~0u;
    row.unusual = NumberRow::kBothKnown;
    if (node_class == NodeClass::Lazy) {
      row.unusual |= NumberRow::kLeftKnown | NumberRow::kRightKnown;
      continue;
    }
    row.operation = ~0u;
    if (node_class == NodeClass::Compare) row.unusual |= NumberRow::kAsserted;
    // With a known operand on the right, these may become cheaper operations.
    if (is_any(node, Node::Div, Node::Rem, Node::Eq, Node::Ne))
      row.unusual |= NumberRow::kRightKnown;
    row.neutral_right = neutral_right_of(node);
    // The operands of these may change places.
    if (is_any(node, Node::Add, Node::Mul, Node::AddWrap, Node::MulWrap, Node::BitAnd, Node::BitOr,
               Node::BitXor))
      row.neutral_left = row.neutral_right;
    row.is_expensive = takes_long(node_row(node).op);
  }
  rows.row[static_cast<u32>(Node::Pow)].is_expensive = takes_long(Op::Pow);
  for (u32 role = 0; role < kRoleCount; ++role)
    if (kRoleRows.code[role].literals() != 0) rows.row[role].literal = ~0u;
  rows.row[static_cast<u32>(Role::Local)].local = ~0u;
  NumberRow& group = rows.row[static_cast<u32>(Role::Group)];
  group.group = group.right = ~0u;
  group.unusual = NumberRow::kRightKnown;
  NumberRow& binding = rows.row[static_cast<u32>(Role::Binding)];
  binding.right = ~0u;
  binding.unusual = NumberRow::kRightKnown;
  return rows;
}();

HD const NumberRow& number_row(Role role) {
  const NumberRows& rows = kNumberRows;
  return rows.row[static_cast<u8>(role)];
}

}  // namespace komuz::frontend
