// SPDX-License-Identifier: Apache-2.0
// Less code for the same values, traps and fuel, over the typed tree of a program without errors:
//
//   folding    an operation on known values that does not trap is their result (Role::Folded)
//   reduction  `x / 4.0` is `x * 0.25`; of unsigned numbers `/` and `%` by a power of two are shifts and masks; so is a
//              remainder of signed ones that is only compared
//   sharing    an operation on values that do not change, which an equal one comes before in every run, is that one's
//              value (Role::Shared), kept in a slot
//
// Only operations on scalars take part: they change nothing, and tick nothing.
#pragma once
#include "frontend_gpu/emit_node.h"
#include "frontend_gpu/evaluate.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// How far up the tree a pass looks for what two nodes have in common.
inline constexpr u32 kMaxSharingClimb = 64;

// The operation of a node on scalars that are on the stack.
struct ScalarOperation {
  Instruction instruction{};
  u32 operands = 0;  // 0: the node is none

  HD void op(Op op, Scalar type, u32 a = 0, u32 b = 0) {
    instruction = {op, type, static_cast<u16>(a), b};
    operands = operand_count(op_row(op).form);
  }
};
// Says nothing of roles, which change on the way.
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
HD ScalarOperation scalar_operation(const Columns& c, Index i) {
  ScalarOperation operation;
  const NodeRow& row = node_row(node_kind(c, i));
  switch (row.node_class) {
    case NodeClass::Arithmetic:
    case NodeClass::Unary:
      if (is_scalar(c.type[i])) operation.op(row.op, as_scalar(c.type[i]));
      return operation;
    case NodeClass::Compare: {
      const TypeId type = c.type[c.left[i]];
      if (is_scalar(type) && is_scalar(c.type[c.right[i]])) operation.op(row.op, as_scalar(type));
      return operation;
    }
    case NodeClass::Shift:
      if (is_scalar(c.type[i]) && is_scalar(c.type[c.right[i]]))
        operation.op(row.op, as_scalar(c.type[i]), static_cast<u32>(c.type[c.right[i]]));
      return operation;
    case NodeClass::Lazy:
    case NodeClass::Update: return operation;
    case NodeClass::Other:
      return node_kind(c, i) == Node::Call ? builtin_operation(c, i) : operation;
  }
  return operation;
}
// Operand k of n.
HD Index operand_of(const Columns& c, Index i, u32 k, u32 n) {
  if (node_kind(c, i) == Node::Call) return inside_parentheses(c, argument_at(c, i, k, n));
  return inside_parentheses(c, k + 1 == n ? c.right[i] : c.left[i]);
}
// Has it not become something else, and is it no part of a pattern?
HD bool is_own_operation(const Columns& c, Index i) {
  return c.role[i] == role_of(node_kind(c, i)) && !is_in_arm(node_context(c, i));
}
// The operation on scalars whose operand a node is, or is part of by parentheses; kNone: there is none.
HD_COLD Index operation_above(const Columns& c, Index i) {
  for (;;) {
    i = parent_of(c, i);
    if (i == kNone || scalar_operation(c, i).operands != 0) return i;
    const Node kind = node_kind(c, i);
    if (kind != Node::Paren && kind != Node::Comma && kind != Node::Dot) return kNone;
  }
}
// Is it what an `assert` compares, or a side of its `&&`?
HD_COLD bool is_asserted(const Columns& c, Index i) {
  for (;;) {
    i = parent_of(c, i);
    if (i == kNone) return false;
    const Node kind = node_kind(c, i);
    if (kind == Node::Assert) return true;
    if (kind != Node::Paren && node_row(kind).node_class != NodeClass::Lazy) return false;
  }
}
// Is it a literal, or has it become one?
HD bool is_known(const Columns& c, Index i) {
  return code_row(c.role[i]).literals() != 0 && c.lazy_left[i] == 0 && is_scalar(c.type[i]);
}

// What becomes of a live node, in `offset`: while nodes wait for their operands, others may read their roles.
enum NumberState : u8 { kAsItWas, kNumbered, kReduced, kKnown };

// Folds a node, else reduces it and gives it its number: a hash of what its value follows from, 0 of what may differ from
// one time to the next. Numbers lie in `cell`, as the values of literals do.
template <class G>
struct NumberValue {
  G& g;
  Columns& c;

  HD void operator()(Index i) const {
    c.offset[i] = kAsItWas;
    const NodeClass node_class = node_row(node_kind(c, i)).node_class;
    if (node_class == NodeClass::Other && node_kind(c, i) != Node::Call) return;
    if (node_class == NodeClass::Compare && is_asserted(c, i)) {
      c.cell[i] = 0;  // as it stands, it shows its values where it fails
      return;
    }
    if (!is_own_operation(c, i)) return;
    const ScalarOperation operation = scalar_operation(c, i);
    if (operation.operands != 0) visit(i, operation);
  }

 private:
  HD void visit(Index i, const ScalarOperation& operation) const {
    const u32 n = operation.operands;
    if (node_row(node_kind(c, i)).op == Op::Neg && is_negated(c, i + 1))
      return fold(i, c.cell[i + 1]);
    bool known = true;
    for (u32 k = 0; k < n; ++k) known = known && is_known_now(operand_of(c, i, k, n));
    if (known && try_fold(i, operation)) return;
    c.offset[i] = kNumbered;
    if (n == 2 && is_known_now(operand_of(c, i, 1, 2))) reduce(i, operation.instruction.type);
    c.cell[i] = number(i, n);
  }
  HD bool is_known_now(Index i) const { return c.offset[i] == kKnown || is_known(c, i); }
  HD void fold(Index i, u64 cell) const {
    c.cell[i] = cell;
    c.offset[i] = kKnown;
    g.raise(c.flags[kFolded]);
  }
  HD_COLD bool try_fold(Index i, const ScalarOperation& operation) const {
    u64 operands[3] = {};
    for (u32 k = 0; k < operation.operands; ++k)
      operands[k] = c.cell[operand_of(c, i, k, operation.operands)];
    const EvaluatedCell result = evaluate_operation(operation.instruction, operands);
    if (result.trap != Trap::None) return false;
    fold(i, result.value);
    return true;
  }

  // The right operand is known.
  HD_COLD void reduce(Index i, Scalar type) const {
    const Node kind = node_kind(c, i);
    const Index right = operand_of(c, i, 1, 2);
    const u64 cell = c.cell[right];
    if (kind == Node::Eq || kind == Node::Ne)
      return reduce_remainder(operand_of(c, i, 0, 2), right, type);
    if (kind != Node::Div && kind != Node::Rem) return;
    if (is_float(type)) {
      if (kind == Node::Div) divide_by_power(i, right, type);
      return;
    }
    if (is_signed(type) || !std::has_single_bit(cell)) return;
    if (kind == Node::Div)
      become(i, Node::Shr, right, static_cast<u64>(std::countr_zero(cell)));
    else
      become(i, Node::BitAnd, right, cell - 1);
  }
  // A power of two whose reciprocal is one, and no subnormal number, either.
  HD void divide_by_power(Index i, Index right, Scalar type) const {
    const u32 mantissa = type == Scalar::F64 ? 52 : 23, bias = type == Scalar::F64 ? 1023 : 127;
    const u64 cell = c.cell[right], sign = u64{1} << (scalar_bits(type) - 1);
    const u64 exponent = (cell & (sign - 1)) >> mantissa;
    const bool power = (cell & ((u64{1} << mantissa) - 1)) == 0;
    if (!power || exponent == 0 || exponent >= 2 * bias) return;
    become(i, Node::Mul, right, (cell & sign) | (2 * bias - exponent) << mantissa);
  }
  // `x % 4 == 1`: of a signed x the low bits and the sign say so.
  HD void reduce_remainder(Index remainder, Index compared, Scalar type) const {
    if (node_kind(c, remainder) != Node::Rem || c.offset[remainder] != kNumbered) return;
    if (!is_signed(type) || c.lazy_left[remainder] != 0) return;
    const Index by = operand_of(c, remainder, 1, 2);
    if (!is_known_now(by) || !std::has_single_bit(u64{c.cell[by]})) return;
    const u64 divisor = c.cell[by], wanted = c.cell[compared];
    if (wanted >= divisor) return;
    const u64 sign = ~u64{0} << (scalar_bits(type) - 1);
    become(remainder, Node::BitAnd, by, wanted == 0 ? divisor - 1 : sign | (divisor - 1));
    c.cell[remainder] = number(remainder, 2);
  }
  HD void become(Index i, Node kind, Index right, u64 cell) const {
    c.kind[i] = static_cast<u8>(kind);
    c.offset[i] = kReduced;
    c.cell[right] = cell;
    c.offset[right] = kKnown;
    g.raise(c.flags[kFolded]);
  }

  HD static u64 mix(u64 a, u64 b) {
    return fold_multiply(a ^ 0xA076'1D64'78BD'642Fu, b + 0xE703'7ED1'A0B4'28DBu);
  }
  HD u64 number(Index i, u32 n) const {
    u64 sum = mix(c.kind[i] | u64{c.type[i]} << 8, c.item[i]);
    if (node_kind(c, i) == Node::Call) sum = mix(sum, c.ref[call_name(c, i)]);
    for (u32 k = 0; k < n; ++k) {
      const u64 operand = number_of(operand_of(c, i, k, n));
      if (operand == 0) return 0;
      sum = mix(sum, operand);
    }
    return sum | 1;
  }
  HD u64 number_of(Index i) const {
    if (is_known_now(i)) return mix(c.type[i], c.cell[i]) | 1;
    if (c.role[i] == Role::Local) {
      const Index ref = c.ref[i];
      return c.bind_kind[ref] == BindKind::Var ? 0 : mix(ref, 0x9E37'79B9'7F4A'7C15u) | 1;
    }
    return c.offset[i] != kAsItWas ? u64{c.cell[i]} : 0;
  }
};

// What sharing knows of a live node, in `offset`.
enum SharingState : u8 { kNotShared, kMayBeShared, kFollows };

// Does it take longer than to keep its value?
HD bool is_worth_sharing(const Columns& c, Index i) {
  const Node kind = node_kind(c, i);
  return c.end[i] - c.begin[i] >= 5 || kind == Node::Div || kind == Node::Rem || kind == Node::Pow;
}

template <class G>
class Sharing {
 public:
  HD Sharing(G& g, Columns& c) : g_(g), c_(c) {}

  HD_COLD void run() {
    const u32 mask = c_.head_mask;
    g_.for_each(mask + 1, [&](u32 h) { c_.heads[h] = 0; });
    for_each_live([&](Index i) {
      const bool may = may_be_shared(i);
      c_.offset[i] = may ? kMayBeShared : kNotShared;
      if (!may) return;
      c_.error_a[i] = 0;
      g_.max_into(c_.heads[head_of(i)], c_.nodes - c_.rank[i]);
    });
    // What has the same number as one before it.
    for_each_live([&](Index i) {
      if (c_.offset[i] == kNotShared) return;
      const Index first = c_.order[c_.nodes - c_.heads[head_of(i)]];
      if (first == i || !are_equal(first, i) || !comes_before(first, i)) return;
      c_.ref[i] = first;
      c_.offset[i] = kFollows;
      g_.raise(c_.flags[kShares]);
    });
    if (c_.flags[kShares] == 0) return;
    for_each_live([&](Index i) {
      if (c_.offset[i] != kFollows || is_part_of_follower(i) || is_part_of_follower(c_.ref[i]))
        return;
      g_.raise(c_.flags[kFolded]);
      g_.raise(c_.flags[kContainers]);  // of which values are kept
      g_.max_into(c_.error_a[c_.ref[i]], 1);
      c_.role[i] = Role::Shared;
    });
    for_each_live([&](Index i) {
      if (c_.offset[i] == kMayBeShared && c_.error_a[i] != 0) add_tail(c_, i, kShared);
    });
  }

 private:
  template <class F>
  HD void for_each_live(F f) {
    g_.for_each(c_.live_nodes, [&](u32 k) { f(Index{c_.live[k]}); });
  }
  HD u32 head_of(Index i) const { return static_cast<u32>(c_.cell[i] >> 32) & c_.head_mask; }
  HD bool may_be_shared(Index i) const {
    if (!is_own_operation(c_, i) || c_.error[i] != 0 || !is_worth_sharing(c_, i)) return false;
    const ItemKind kind = c_.item_kind[c_.item[i]];
    return scalar_operation(c_, i).operands != 0 && c_.cell[i] != 0 &&
           (kind == ItemKind::Function || kind == ItemKind::Test);
  }
  // Numbers are hashes: what they stand for is compared, too.
  HD_COLD bool are_equal(Index a, Index b) const {
    if (c_.cell[a] != c_.cell[b] || c_.item[a] != c_.item[b]) return false;
    const u32 size = c_.end[a] - c_.begin[a];
    if (c_.end[b] - c_.begin[b] != size || a - c_.begin[a] != b - c_.begin[b]) return false;
    for (u32 k = 0; k < size; ++k) {
      const Index x = c_.begin[a] + k, y = c_.begin[b] + k;
      if (c_.kind[x] != c_.kind[y] || c_.type[x] != c_.type[y]) return false;
      if (node_kind(c_, x) == Node::Name && c_.ref[x] != c_.ref[y]) return false;
      if (is_known(c_, x) != is_known(c_, y) || (is_known(c_, x) && c_.cell[x] != c_.cell[y]))
        return false;
    }
    return true;
  }
  // Has `first`, in every run, been evaluated before `then` is?
  HD_COLD bool comes_before(Index first, Index then) const {
    Index common = first;
    for (u32 step = 0; then >= c_.end[common]; ++step) {
      const Index above = parent_of(c_, common);
      if (above == kNone || step == kMaxSharingClimb || may_leave_out(above, common)) return false;
      common = above;
    }
    for (u32 step = 0; then != common; ++step) {
      const Index above = parent_of(c_, then);
      if (step == kMaxSharingClimb) return false;
      if (node_kind(c_, above) == Node::Limit && c_.right[above] == then) return false;
      then = above;
    }
    return true;
  }
  // May `above` be evaluated without its child, or before it?
  HD_COLD bool may_leave_out(Index above, Index child) const {
    const Node kind = node_kind(c_, above);
    if (node_row(kind).node_class == NodeClass::Lazy) return c_.right[above] == child;
    switch (kind) {
      case Node::Body:
      case Node::Else: return c_.right[above] == child;
      case Node::Lambda:
      case Node::Guard:
      case Node::While:  // what its loop writes is not known to be written behind it
      case Node::Limit:
      case Node::In:
      case Node::Prop: return true;
      case Node::Call:
        return !is_scalar_builtin(c_, above) && operation_of(c_, above) >= kBuiltinRef;
      default: return false;
    }
  }
  // Does it stand inside of what may become another one's value?
  HD_COLD bool is_part_of_follower(Index i) const {
    for (u32 step = 0; step < kMaxSharingClimb; ++step) {
      i = operation_above(c_, i);
      if (i == kNone) return false;
      if (c_.offset[i] == kFollows) return true;
    }
    return true;
  }

  G& g_;
  Columns& c_;
};

// The parts of what has become a value make no code any more.
template <class G>
HD_COLD void leave_out_parts(G& g, Columns& c) {
  const auto stands_for_parts = [&](Index i) {
    return c.role[i] == Role::Folded || c.role[i] == Role::Shared;
  };
  g.for_each(c.live_nodes, [&](u32 k) {
    const Index i = c.live[k];
    c.offset[i] = stands_for_parts(i);
  });
  g.for_each(c.live_nodes, [&](u32 k) {
    const Index i = c.live[k], above = operation_above(c, i);
    if (c.offset[i] == 0 || (above != kNone && c.offset[above] != 0)) return;
    for (Index n = c.begin[i]; n < c.end[i]; ++n)
      if (n != i) c.role[n] = Role::Gone;
  });
}

template <class G>
HD_COLD void optimise(G& g, Columns& c) {
  g.up(c.live_nodes, c.live, NumberValue<G>{g, c}, NeedsOperands{c});
  g.for_each(c.live_nodes, [&](u32 k) {
    const Index i = c.live[k];
    if (c.offset[i] == kKnown)
      c.role[i] = Role::Folded;
    else if (c.offset[i] == kReduced)
      c.role[i] = role_of(node_kind(c, i));
  });
  Sharing<G>(g, c).run();
  if (c.flags[kFolded] == 0) return;
  leave_out_parts(g, c);
  list_live(g, c);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
