// SPDX-License-Identifier: Apache-2.0
// Operations on scalars in the typed tree. They change nothing and tick nothing, so optimise.h may replace them.
#pragma once
#include "frontend_gpu/code/emit_node.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// How far up the tree the optimiser looks from one node.
inline constexpr u32 kMaxClimb = 64;

// The operation of a node on scalars on the stack.
struct ScalarOperation {
  Instruction instruction{};
  u32 operands = 0;  // 0: the node is no such operation

  HD void op(Op op, Scalar type, u32 a = 0, u32 b = 0) {
    instruction = {op, type, static_cast<u16>(a), b};
    operands = operand_count(op_row(op).form);
  }
};
// Does not look at roles, which change on the way.
HD bool is_scalar_builtin(const Columns& c, Index call) {
  const Context context = node_context(c, call);
  return node_kind(c, call) == Node::Call && context != Context::FnCall &&
         context != Context::Skipped && !is_in_arm(context) &&
         is_builtin_function(operation_of(c, call)) && is_scalar(c.type[call]) &&
         is_scalar(c.type[first_argument(c, call)]);
}
HD_COLD ScalarOperation builtin_operation(const Columns& c, Index i) {
  ScalarOperation operation;
  if (!is_scalar_builtin(c, i)) return operation;
  const Index last = last_argument(c, i), first = first_argument(c, i);
  if (!is_scalar(c.type[last])) return operation;
  emit_builtin(operation, builtin_row(c.ref[call_name(c, i)]), as_scalar(c.type[first]),
               as_scalar(c.type[last]), as_scalar(c.type[i]));
  return operation;
}
// True for an operator between scalars.
HD bool is_scalar_operator(const Columns& c, Index i) {
  switch (node_row(node_kind(c, i)).node_class) {
    case NodeClass::Arithmetic:
    case NodeClass::Unary: return is_scalar(c.type[i]);
    case NodeClass::Compare: return is_scalar(c.type[c.left[i]]) && is_scalar(c.type[c.right[i]]);
    case NodeClass::Shift: return is_scalar(c.type[i]) && is_scalar(c.type[c.right[i]]);
    case NodeClass::Lazy:
    case NodeClass::Update:
    case NodeClass::Other: return false;
  }
  return false;
}
HD ScalarOperation scalar_operation(const Columns& c, Index i) {
  if (!is_scalar_operator(c, i))
    return node_kind(c, i) == Node::Call ? builtin_operation(c, i) : ScalarOperation{};
  const NodeRow& row = node_row(node_kind(c, i));
  const bool compares = row.node_class == NodeClass::Compare;
  const TypeId type = c.type[compares ? Index{c.left[i]} : i];
  ScalarOperation operation;
  operation.op(row.op, as_scalar(type),
               row.node_class == NodeClass::Shift ? u32{c.type[c.right[i]]} : 0);
  return operation;
}
HD bool is_scalar_operation(const Columns& c, Index i) {
  return is_scalar_operator(c, i) ||
         (node_kind(c, i) == Node::Call && builtin_operation(c, i).operands != 0);
}
// Operand k of n.
HD Index operand_of(const Columns& c, Index i, u32 k, u32 n) {
  if (node_kind(c, i) == Node::Call) return inside_parentheses(c, argument_at(c, i, k, n));
  return inside_parentheses(c, k + 1 == n ? c.right[i] : c.left[i]);
}
// True if the node has not become something else, and is no part of a pattern.
HD bool is_own_operation(const Columns& c, Index i) {
  return c.role[i] == role_of(node_kind(c, i)) && !is_in_arm(node_context(c, i));
}
// The operation on scalars, or `&&` or `||`, whose operand the node is, perhaps in parentheses; kNone: there is
// none.
HD_COLD Index operation_above(const Columns& c, Index i) {
  u32 commas = 0;
  for (;;) {
    i = parent_of(c, i);
    if (i == kNone || is_scalar_operation(c, i)) return i;
    const Node kind = node_kind(c, i);
    if (node_row(kind).node_class == NodeClass::Lazy) return i;
    // Operations on scalars have no more operands.
    if (kind == Node::Comma && ++commas > 3) return kNone;
    if (kind != Node::Paren && kind != Node::Comma && kind != Node::Dot) return kNone;
  }
}
// The `=` of the `let` or `var` that binds a variable; kNone: something else binds it.
HD Index assign_of(const Columns& c, u32 b) {
  const Index assign = c.right[c.owner[c.bind_node[b]]];
  return assign != kNone && c.role[assign] == Role::Binding ? assign : kNone;
}
// The name that a `=` binds; kNone if it does not bind just one name.
HD Index name_bound_by(const Columns& c, Index assign) {
  Index left = c.left[assign];
  if (left != kNone && node_kind(c, left) == Node::Colon) left = c.left[left];
  return left != kNone && c.role[left] == Role::Bind ? left : kNone;
}
// True for an operand that an `assert` compares, and for a side of its `&&`. The climb is limited, so it may miss
// one that lies deep.
HD_COLD bool is_asserted(const Columns& c, Index i) {
  for (u32 step = 0; step < kMaxClimb; ++step) {
    i = parent_of(c, i);
    if (i == kNone) return false;
    const Node kind = node_kind(c, i);
    if (kind == Node::Assert) return true;
    if (kind != Node::Paren && node_row(kind).node_class != NodeClass::Lazy) return false;
  }
  return true;
}
// True if the node is a literal, or has become one.
HD bool is_known(const Columns& c, Index i) {
  return code_row(c.role[i]).literal != 0 && c.tails[i] == 0 && is_scalar(c.type[i]);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
