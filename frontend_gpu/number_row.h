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

  // All bits or none: an operation on scalars, one of two operands, one of a right operand, as is the value of a `let`,
  // parentheses around a value (which have the number of the value), …
  u32 operation = 0, binary = 0, right = 0, group = 0, literal = 0, local = 0;
  u8 unusual = 0;
  u8 neutral = 0;     // of NeutralCells; 0: any right operand changes something
  bool dear = false;  // takes_long, of operators
};

// Beside which right operand any left one is the result: by NumberRow::neutral and type. 0.0 is none of sums, as -0.0 + 0.0
// is 0.0; -0.0 is.
struct NeutralCells {
  static constexpr u32 kTypes = 16;
  static constexpr u8 kOfSum = 1, kZero = 2, kOne = 3;

  u64 of[4][kTypes] = {};
};
HD_TABLE NeutralCells kNeutralCells = [] {
  NeutralCells cells{};
  for (u64& one : cells.of[NeutralCells::kOne]) one = 1;
  const auto set = [&](Scalar type, u64 zero, u64 one) {
    cells.of[NeutralCells::kOfSum][static_cast<u32>(type)] = zero;
    cells.of[NeutralCells::kOne][static_cast<u32>(type)] = one;
  };
  set(Scalar::F32, 0x8000'0000, 0x3F80'0000);
  set(Scalar::F64, 0x8000'0000'0000'0000, 0x3FF0'0000'0000'0000);
  return cells;
}();
HD u64 neutral_cell(const NumberRow& row, u32 type) {
  const NeutralCells& cells = kNeutralCells;
  return cells.of[row.neutral][type % NeutralCells::kTypes];
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
    if (node == Node::Call) row.unusual = NumberRow::kAlways;
    if (node_class == NodeClass::Lazy || node_class == NodeClass::Update ||
        node_class == NodeClass::Other)
      continue;
    row.operation = row.right = ~0u;
    row.binary = node_class == NodeClass::Unary ? 0 : ~0u;
    row.unusual = NumberRow::kBothKnown;
    if (node_class == NodeClass::Compare) row.unusual |= NumberRow::kAsserted;
    // With a known operand on the right these may be cheaper operations.
    if (is_any(node, Node::Div, Node::Rem, Node::Eq, Node::Ne))
      row.unusual |= NumberRow::kRightKnown;
    if (node == Node::Add) row.neutral = NeutralCells::kOfSum;
    if (is_any(node, Node::Sub, Node::AddWrap, Node::SubWrap, Node::BitOr, Node::BitXor, Node::Shl,
               Node::Shr))
      row.neutral = NeutralCells::kZero;
    if (is_any(node, Node::Mul, Node::MulWrap, Node::Div)) row.neutral = NeutralCells::kOne;
    row.dear = takes_long(node_row(node).op);
  }
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
