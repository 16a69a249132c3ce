// SPDX-License-Identifier: Apache-2.0
// What a node's number follows from (optimise.h), as a row for each role, so that most nodes need no branch.
#pragma once
#include "frontend_gpu/columns/role.h"
#include "frontend_gpu/questions/neutral.h"
#include "lang/op_costs.h"

namespace komuz::frontend {

// From this number of nodes on, computing an operation takes longer than keeping its value.
inline constexpr u32 kExpensiveNodes = 5;

struct NumberRow {
  // When a closer look is due.
  static constexpr u8 kBothKnown = 1, kRightKnown = 2, kAsserted = 4, kAlways = 8, kLeftKnown = 16;

  // Each is all bits or none: an operation on scalars; a node without an operand on the left, or on the right, where
  // the value of a `let` counts as one; parentheses around a value, which have the value's number; a literal; the
  // name of a local variable.
  u32 operation = 0, no_left = ~0u, no_right = ~0u, group = 0, literal = 0, local = 0;
  u8 unusual = 0;
  u8 unusual_if = 0;  // bit kLeft + kRight + kAssertions of what is found: is a look due?
  static constexpr u8 kLeft = 1, kRight = 2, kAssertions = 4;
  // Bits of Neutral: a known operand on this side with one of these bits makes the other operand the result.
  u16 neutral_left = 0, neutral_right = 0;
  // From so many nodes on computing it takes longer than keeping its value; 0: in any case.
  u32 expensive_nodes = kExpensiveNodes;
};

// The bits of `unusual_if`.
constexpr u8 unusual_if(u8 unusual) {
  u32 bits = 0;
  for (u32 found = 0; found < 8; ++found) {
    const bool left = (found & NumberRow::kLeft) != 0, right = (found & NumberRow::kRight) != 0,
               assertions = (found & NumberRow::kAssertions) != 0;
    const u32 due = NumberRow::kAlways | (left && right ? NumberRow::kBothKnown : 0u) |
                    (right ? NumberRow::kRightKnown : 0u) | (left ? NumberRow::kLeftKnown : 0u) |
                    (assertions ? NumberRow::kAsserted : 0u);
    bits |= static_cast<u32>((unusual & due) != 0) << found;
  }
  return static_cast<u8>(bits);
}

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
  // gcc 12 leaves most elements of an array without the values that are not 0.
  for (NumberRow& row : rows.row) row = NumberRow{};
  const auto is_any = [](Node node, auto... nodes) { return ((node == nodes) || ...); };
  for (u32 k = 0; k < kNodeCount; ++k) {
    const Node node = static_cast<Node>(k);
    const NodeClass node_class = node_row(node).node_class;
    NumberRow& row = rows.row[k];
    if (node == Node::Call || node == Node::Pow) row.unusual = NumberRow::kAlways;
    if (node == Node::Pow) continue;  // the exponent of a product has no number
    if (node_class == NodeClass::Update || node_class == NodeClass::Other) continue;
    row.no_right = 0;
    row.no_left = node_class == NodeClass::Unary ? ~0u : 0;
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
    if (takes_long(node_row(node).op)) row.expensive_nodes = 0;
  }
  if (takes_long(Op::Pow)) rows.row[static_cast<u32>(Node::Pow)].expensive_nodes = 0;
  const RoleRows roles = make_role_rows();
  for (u32 role = 0; role < kRoleCount; ++role) rows.row[role].literal = roles.code[role].literal;
  rows.row[static_cast<u32>(Role::Local)].local = ~0u;
  NumberRow& group = rows.row[static_cast<u32>(Role::Group)];
  group.group = ~0u;
  group.no_right = 0;
  group.unusual = NumberRow::kRightKnown;
  NumberRow& binding = rows.row[static_cast<u32>(Role::Binding)];
  binding.no_right = 0;
  binding.unusual = NumberRow::kRightKnown;
  for (NumberRow& row : rows.row) row.unusual_if = unusual_if(row.unusual);
  return rows;
}();

HD const NumberRow& number_row(Role role) {
  const NumberRows& rows = kNumberRows;
  return rows.row[static_cast<u8>(role)];
}

}  // namespace komuz::frontend
