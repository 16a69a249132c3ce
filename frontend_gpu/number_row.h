// SPDX-License-Identifier: Apache-2.0
// What a node's number follows from (optimise.h), by its role: rows, so that most nodes are done without a branch.
#pragma once
#include "frontend_gpu/role.h"
#include "lang/ops.h"

namespace komuz::frontend {

// Does the operation take several times as long as a sum, and so as to keep its value?
HD constexpr bool takes_long(Op op) {
  return is_mathematical(op) || op == Op::Div || op == Op::Rem || op == Op::Sqrt || op == Op::Sqrt0;
}

struct NumberRow {
  // When a closer look is due.
  static constexpr u8 kBothKnown = 1, kRightKnown = 2, kAsserted = 4, kAlways = 8;

  // All bits or none: an operation on scalars, one of two operands, parentheses around a value (which have the number of
  // the value), …
  u32 operation = 0, binary = 0, group = 0, literal = 0, local = 0;
  u8 unusual = 0;
  bool dear = false;  // takes_long, of operators
};

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
    if (node == Node::Call) row.unusual = NumberRow::kAlways;
    if (node_class == NodeClass::Lazy || node_class == NodeClass::Update ||
        node_class == NodeClass::Other)
      continue;
    row.operation = ~0u;
    row.binary = node_class == NodeClass::Unary ? 0 : ~0u;
    row.unusual = NumberRow::kBothKnown;
    if (node_class == NodeClass::Compare) row.unusual |= NumberRow::kAsserted;
    // With a known operand on the right these may be cheaper operations.
    if (is_any(node, Node::Div, Node::Rem, Node::Eq, Node::Ne))
      row.unusual |= NumberRow::kRightKnown;
    row.dear = takes_long(node_row(node).op);
  }
  for (u32 role = 0; role < kRoleCount; ++role)
    if (kRoleRows.code[role].literals() != 0) rows.row[role].literal = ~0u;
  rows.row[static_cast<u32>(Role::Local)].local = ~0u;
  rows.row[static_cast<u32>(Role::Group)].group = ~0u;
  return rows;
}();

HD const NumberRow& number_row(Role role) {
  const NumberRows& rows = kNumberRows;
  return rows.row[static_cast<u8>(role)];
}

}  // namespace komuz::frontend
