// SPDX-License-Identifier: Apache-2.0
// Less code for the same values, traps and fuel, over the typed tree of a program without errors:
//
//   folding    an operation on known values that does not trap is their result (Role::Folded)
//   reduction  `x / 4.0` is `x * 0.25`; of unsigned numbers `/` and `%` by a power of two are shifts and masks; so is a
//              remainder of signed ones that is only compared
//   sharing    an operation on values that do not change, which an equal one comes before in every run, is that one's
//              value (Role::Shared), kept in a slot
//   leaving out a `let` whose variable is not used and whose value cannot trap (unused.h)
//
// Only operations on scalars take part: they change nothing, and tick nothing.
#pragma once
#include "frontend_gpu/evaluate.h"
#include "frontend_gpu/lists.h"
#include "frontend_gpu/number_row.h"
#include "frontend_gpu/scalar_operation.h"
#include "frontend_gpu/unused.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// How far up the tree a pass looks for what two nodes have in common.
inline constexpr u32 kMaxSharingClimb = 64;

HD u32 head_of(const Columns& c, u32 number) { return number >> 8 & c.head_mask; }

// Nodes of an operation from which on it takes longer than to keep its value.
inline constexpr u32 kDearNodes = 5;

// The nodes of a value in reversed post-order, without parentheses around values.
class BareNodesBackwards {
 public:
  HD BareNodesBackwards(const Columns& c, Index value)
      : c_(c), at_(c.rank[value] + 1), first_(at_ - (c.end[value] - c.begin[value])) {}
  // kNone: there are no more.
  HD Index next() {
    while (at_ != first_)
      if (const Index i = c_.order[--at_]; c_.role[i] != Role::Group) return i;
    return kNone;
  }

 private:
  const Columns& c_;
  u32 at_, first_;  // ranks
};

// Gives a node its number: a hash of what its value follows from, 0 of what may differ from one time to the next. Folds
// or reduces it before, where its operands let it.
template <class G>
struct NumberValue {
  G& g;
  Columns& c;
  u32 asserted;  // NumberRow::kAsserted, if there are assertions

  HD void operator()(Index i) const {
    const NumberRow& row = number_row(c.role[i]);
    // Nothing here is a branch but what is rare. Where there is no operand stands the node behind the last one, which is
    // known and has a number.
    const Index left = in_range(c.left[i] | ~row.binary);
    const Index right = in_range(c.right[i] | ~(row.operation | row.group));
    const Index ref = c.ref[i] & row.local;
    const u32 a = c.number[left], b = c.number[right];
    const u32 known_right = c.offset[right] & kKnownValue;
    const u32 known = known_right & c.offset[left];
    static_assert(kKnownValue == NumberRow::kBothKnown && NumberRow::kRightKnown == 2);
    if ((row.unusual & (known | known_right << 1 | asserted | NumberRow::kAlways)) != 0)
      return unusual(i);
    const u32 scalar = mask(is_scalar(c.type[i]));
    const u32 literal = row.literal & mask(c.lazy_left[i] == 0);
    const u32 changes = g.select(
        row.local != 0, [&] { return mask(c.bind_kind[ref] == BindKind::Var); }, [] { return 0u; });
    const u32 local = row.local & ~changes;
    const u32 operates = row.operation & mask((a != 0) & (b != 0));
    const u64 cell = g.select(
        literal != 0, [&] { return u64{c.cell[i]}; }, [] { return u64{0}; });
    const u32 own = number_of(i, (u64{a} << 32 | b) ^ cell ^ ref) & (literal | local | operates);
    const u32 number = (own | (b & row.group)) & scalar;
    finish(i, number, operates & mask(is_dear(i, row)),
           (literal | (row.group & (0 - known_right))) & scalar);
  }

 private:
  HD static u32 mask(bool condition) { return 0 - static_cast<u32>(condition); }
  HD Index in_range(Index i) const { return i < c.nodes ? i : c.nodes; }
  // From the numbers of two operands, the value of a literal, the variable of a name.
  HD u32 number_of(Index i, u64 key) const {
    const u64 what = c.kind[i] | u64{c.type[i]} << 8;
    return static_cast<u32>(
               fold_multiply(what ^ 0xA076'1D64'78BD'642Fu, key ^ 0xE703'7ED1'A0B4'28DBu)) |
           1;
  }
  HD bool is_dear(Index i, const NumberRow& row) const {
    return (c.end[i] - c.begin[i] >= kDearNodes) | row.dear;
  }
  // What it has become may be cheaper than what its role says.
  HD u32 is_dear_now(Index i) const {
    return mask(is_dear(i, number_row(role_of(node_kind(c, i)))));
  }
  // `dear`, `known`: all bits or none.
  HD void finish(Index i, u32 number, u32 dear, u32 known) const {
    const u32 may = dear & mask(number != 0);
    c.number[i] = number;
    c.offset[i] = (may & kMayBeShared) | (known & kKnownValue);
  }

  // Calls, comparisons, and what has known operands.
  HD_COLD void unusual(Index i) const {
    c.number[i] = 0;
    c.offset[i] = 0;
    if (node_row(node_kind(c, i)).node_class == NodeClass::Compare && is_asserted(c, i))
      return;  // as it stands, it shows its values where it fails
    if (!is_own_operation(c, i)) return;
    const ScalarOperation operation = scalar_operation(c, i);
    const u32 n = operation.operands;
    if (n == 0) return;
    if (node_row(node_kind(c, i)).op == Op::Neg && is_negated(c, i + 1))
      return become_value(i, c.cell[i + 1]);
    bool known = true;
    for (u32 k = 0; k < n; ++k) known = known && is_known_now(operand_of(c, i, k, n));
    if (known && try_fold(i, operation)) return;
    if (n == 2 && is_known_now(operand_of(c, i, 1, 2))) reduce(i, operation.instruction.type);
    const u32 changed = c.offset[i] & kChanged;
    const bool is_call = node_kind(c, i) == Node::Call;
    finish(i, number(i, n), is_dear_now(i) | mask(is_call && takes_long(operation.instruction.op)),
           0);
    c.offset[i] = c.offset[i] | changed;
  }
  HD bool is_known_now(Index i) const { return (c.offset[i] & kKnownValue) != 0; }
  HD void become_value(Index i, u64 cell) const {
    c.cell[i] = cell;
    c.number[i] = number_of(i, cell);
    c.offset[i] = kKnownValue | kChanged;
    g.raise(c.flags[kFolded]);
  }
  HD bool try_fold(Index i, const ScalarOperation& operation) const {
    u64 operands[3] = {};
    for (u32 k = 0; k < operation.operands; ++k)
      operands[k] = c.cell[operand_of(c, i, k, operation.operands)];
    const EvaluatedCell result = evaluate_operation(operation.instruction, operands);
    if (result.trap != Trap::None) return false;
    become_value(i, result.value);
    return true;
  }

  // The right operand is known.
  HD void reduce(Index i, Scalar type) const {
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
    if (node_kind(c, remainder) != Node::Rem || !is_own_operation(c, remainder)) return;
    if ((c.offset[remainder] & kChanged) != 0) return;
    if (!is_signed(type) || c.lazy_left[remainder] != 0) return;
    const Index by = operand_of(c, remainder, 1, 2);
    if (!is_known_now(by) || !std::has_single_bit(u64{c.cell[by]})) return;
    const u64 divisor = c.cell[by], wanted = c.cell[compared];
    if (wanted >= divisor) return;
    const u64 sign = ~u64{0} << (scalar_bits(type) - 1);
    become(remainder, Node::BitAnd, by, wanted == 0 ? divisor - 1 : sign | (divisor - 1));
    finish(remainder, number(remainder, 2), is_dear_now(remainder), 0);
    c.offset[remainder] = c.offset[remainder] | kChanged;
  }
  HD void become(Index i, Node kind, Index right, u64 cell) const {
    c.kind[i] = static_cast<u8>(kind);
    c.offset[i] = kChanged;
    c.cell[right] = cell;
    c.number[right] = number_of(right, cell);
    c.offset[right] = kKnownValue | kChanged;
    g.raise(c.flags[kFolded]);
  }
  HD u32 number(Index i, u32 n) const {
    u64 key = node_kind(c, i) == Node::Call ? u64{c.ref[call_name(c, i)]} : 0;
    for (u32 k = 0; k < n; ++k) {
      const u32 operand = c.number[operand_of(c, i, k, n)];
      if (operand == 0) return 0;
      key = number_of(i, key << 32 | operand);
    }
    return static_cast<u32>(key);
  }
};

// An operation waits for its operands. The kinds of other nodes may change while a node waits.
struct NeedsValues {
  const Columns& c;
  HD Needs operator()(Index i) const { return {{live(c.left[i]), live(c.right[i]), kNoElement}}; }

 private:
  HD Index live(Index i) const { return i == kNone || is_idle(c.role[i]) ? kNoElement : i; }
};

template <class G>
class Sharing {
 public:
  HD Sharing(G& g, Columns& c) : g_(g), c_(c) {}

  HD_COLD void run() {
    // The head of a number keeps the first one of those that have it.
    g_.for_each(c_.head_mask + 1, [&](u32 h) { c_.heads[h] = 0; });
    listed_ = list_sharable(g_, c_);
    for_each_listed(
        [&](Index i) { g_.max_into(c_.heads[head_of(c_, c_.number[i])], c_.nodes - c_.rank[i]); });
    // What has the same number as one before it.
    for_each_listed([&](Index i) {
      const u32 own = c_.nodes - c_.rank[i], head = c_.heads[head_of(c_, c_.number[i])];
      if (head != own) follow(i, c_.order[c_.nodes - head]);
    });
    if (c_.flags[kShares] == 0) return;
    for_each_listed([&](Index i) { c_.error_a[i] = 0; });
    for_each_listed([&](Index i) {
      if ((c_.offset[i] & kFollows) == 0 || is_part_of_follower(i) ||
          is_part_of_follower(c_.ref[i]))
        return;
      g_.raise(c_.flags[kFolded]);
      g_.max_into(c_.error_a[c_.ref[i]], 1);
      c_.role[i] = Role::Shared;
    });
    for_each_listed([&](Index i) {
      if ((c_.offset[i] & kFollows) == 0 && c_.error_a[i] != 0) add_tail(c_, i, kShared);
    });
  }

 private:
  template <class F>
  HD void for_each_listed(F f) {
    g_.for_each(listed_, [&](u32 k) { f(Index{c_.listed[k]}); });
  }
  HD_COLD void follow(Index i, Index first) {
    const ItemKind kind = c_.item_kind[c_.item[i]];
    if (kind != ItemKind::Function && kind != ItemKind::Test) return;
    if (c_.error[first] != 0 || c_.error[i] != 0) return;
    if (!are_equal(first, i) || !is_dear(i) || !comes_before(first, i)) return;
    c_.ref[i] = first;
    c_.offset[i] = kMayBeShared | kFollows;
    g_.raise(c_.flags[kShares]);
  }
  // Numbers are hashes: what they stand for is compared, too.
  HD_COLD bool are_equal(Index a, Index b) const {
    if (c_.number[a] != c_.number[b] || c_.item[a] != c_.item[b]) return false;
    BareNodesBackwards these(c_, a), those(c_, b);
    for (;;) {
      const Index x = these.next(), y = those.next();
      if (x == kNone || y == kNone) return x == y;
      if (!are_alike(x, y)) return false;
    }
  }
  // Post-order, with the children that each node has, says what a tree looks like.
  HD bool are_alike(Index x, Index y) const {
    if (c_.kind[x] != c_.kind[y] || c_.type[x] != c_.type[y]) return false;
    if ((c_.left[x] == kNone) != (c_.left[y] == kNone)) return false;
    if ((c_.right[x] == kNone) != (c_.right[y] == kNone)) return false;
    if (node_kind(c_, x) == Node::Name && c_.ref[x] != c_.ref[y]) return false;
    return is_known(c_, x) == is_known(c_, y) && (!is_known(c_, x) || c_.cell[x] == c_.cell[y]);
  }
  // Numbering looks at the size with all parentheses.
  HD_COLD bool is_dear(Index i) const {
    u32 count = 0;
    for (BareNodesBackwards nodes(c_, i); count < kDearNodes && nodes.next() != kNone;) ++count;
    if (count == kDearNodes || number_row(c_.role[i]).dear) return true;
    return node_kind(c_, i) == Node::Call && takes_long(scalar_operation(c_, i).instruction.op);
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
      case Node::Comma: return c_.role[above] == Role::Alternatives;
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
      if ((c_.offset[i] & kFollows) != 0) return true;
    }
    return true;
  }

  G& g_;
  Columns& c_;
  u32 listed_ = 0;
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
    const Index i = c.live[k];
    if (c.offset[i] == 0) return;
    const Index above = operation_above(c, i);
    if (above != kNone && c.offset[above] != 0) return;
    for (Index n = c.begin[i]; n < c.end[i]; ++n)
      if (n != i) c.role[n] = Role::Gone;
  });
}

template <class G>
HD_COLD void change_roles(G& g, Columns& c) {
  g.for_each(c.live_nodes, [&](u32 k) {
    const Index i = c.live[k];
    if ((c.offset[i] & kChanged) == 0) return;
    c.role[i] = (c.offset[i] & kKnownValue) != 0 ? Role::Folded : role_of(node_kind(c, i));
  });
}

template <class G>
HD_COLD void optimise(G& g, Columns& c) {
  g.once([&] {
    c.number[c.nodes] = 1;
    c.offset[c.nodes] = kKnownValue;
  });
  g.up(c.live_nodes, c.live, NumberValue<G>{g, c, c.flags[kAsserts] * NumberRow::kAsserted},
       NeedsValues{c});
  if (c.flags[kFolded] != 0) change_roles(g, c);
  Sharing<G>(g, c).run();
  if (c.flags[kFolded] != 0) leave_out_parts(g, c);
  UnusedVariables<G>(g, c).leave_out();
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
