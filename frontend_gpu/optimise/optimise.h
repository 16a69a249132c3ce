// SPDX-License-Identifier: Apache-2.0
// Makes less code for the same values, traps and fuel, from the typed tree of a program without errors:
//
//   folding      An operation on known values that does not trap becomes its result (Role::Folded). So does a use of a
//                `let` variable whose value is known.
//   reduction    `x / 4.0` becomes `x * 0.25`. `/` and `%` of unsigned numbers by a power of two become shifts and
//                masks; so does a remainder of signed numbers that is only compared. `x * 1`, `x - 0.0` and the like
//                become x (Role::Neutral).
//   sharing      An operation on values that do not change takes the value of an equal operation that comes before it
//                in every run (Role::Shared). A slot keeps the value.
//   leaving out  A `let` whose variable is not used and whose value cannot trap makes no code (unused.h).
//
// Only operations on scalars take part: they change nothing, and tick nothing.
#pragma once
#include "frontend_gpu/optimise/number_values.h"
#include "frontend_gpu/optimise/unused.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD u32 head_of(const Columns& c, u32 number) { return number >> 8 & c.head_mask; }

// Goes through the nodes of a value in reversed post-order. Skips parentheses around values, and nodes that have
// become one of their operands.
class BareNodesBackwards {
 public:
  HD BareNodesBackwards(const Columns& c, Index value)
      : c_(c), at_(c.rank[value] + 1), first_(at_ - (c.end[value] - c.begin[value])) {}
  // The next node; kNone: there are no more.
  HD Index next() {
    while (at_ != first_)
      if (const Index i = c_.order[--at_]; !is_passed_over(c_.role[i])) return i;
    return kNone;
  }

 private:
  HD static bool is_passed_over(Role role) {
    return role == Role::Group || role == Role::Neutral || role == Role::Gone;
  }

  const Columns& c_;
  u32 at_, first_;  // ranks
};

template <class G>
class Sharing {
 public:
  HD Sharing(G& g, Columns& c) : g_(g), c_(c) {}

  HD_COLD void run() {
    listed_ = list_marked(g_, c_, kMayBeShared);
    if (listed_ < 2) return;  // one node alone follows none
    // The head of a number keeps the first of the nodes that have it.
    g_.for_each(c_.head_mask + 1, [&](u32 h) { c_.heads[h] = 0; });
    for_each_listed(
        [&](Index i) { g_.max_into(c_.heads[head_of(c_, c_.number[i])], c_.nodes - c_.rank[i]); });
    // A node follows the first node of the same number.
    for_each_listed([&](Index i) {
      const u32 own = c_.nodes - c_.rank[i], head = c_.heads[head_of(c_, c_.number[i])];
      if (head != own) follow(i, c_.order[c_.nodes - head]);
    });
    if (c_.flags[kShares] == 0) return;
    for_each_listed([&](Index i) { c_.error_a[i] = 0; });
    for_each_listed([&](Index i) {
      if ((marks_of(c_, i) & kFollows) == 0 || is_part_of_follower(i) ||
          is_part_of_follower(c_.ref[i]))
        return;
      g_.raise(c_.flags[kFolded]);
      g_.max_into(c_.error_a[c_.ref[i]], 1);
      c_.role[i] = Role::Shared;
    });
    for_each_listed([&](Index i) {
      const u32 found = marks_of(c_, i);
      if (c_.role[i] == Role::Shared) marks_of(c_, i) = found | kStandsForParts;
      if ((found & kFollows) == 0 && c_.error_a[i] != 0) add_tail(c_, i, kShared);
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
    if (!are_equal(first, i) || !is_expensive(i) || !comes_before(first, i)) return;
    c_.ref[i] = first;
    marks_of(c_, i) = kMayBeShared | kFollows;
    g_.raise(c_.flags[kShares]);
  }
  // Compares two values whose numbers are equal. Numbers are hashes, so equal ones may stand for different values.
  HD_COLD bool are_equal(Index a, Index b) const {
    if (c_.number[a] != c_.number[b] || c_.item[a] != c_.item[b]) return false;
    BareNodesBackwards these(c_, a), those(c_, b);
    for (;;) {
      const Index x = these.next(), y = those.next();
      if (x == kNone || y == kNone) return x == y;
      if (!are_alike(x, y)) return false;
    }
  }
  // Compares two nodes. Post-order, with the children that each node has, determines what a tree looks like.
  HD bool are_alike(Index x, Index y) const {
    if (c_.kind[x] != c_.kind[y] || c_.type[x] != c_.type[y]) return false;
    if ((c_.left[x] == kNone) != (c_.left[y] == kNone)) return false;
    if ((c_.right[x] == kNone) != (c_.right[y] == kNone)) return false;
    if (node_kind(c_, x) == Node::Name && c_.ref[x] != c_.ref[y]) return false;
    return is_known(c_, x) == is_known(c_, y) && (!is_known(c_, x) || c_.cell[x] == c_.cell[y]);
  }
  // Counts without parentheses; the numbering counted all of them.
  HD_COLD bool is_expensive(Index i) const {
    u32 count = 0;
    for (BareNodesBackwards nodes(c_, i); count < kExpensiveNodes && nodes.next() != kNone;)
      ++count;
    if (count == kExpensiveNodes || number_row(c_.role[i]).expensive_nodes == 0) return true;
    return node_kind(c_, i) == Node::Call && takes_long(scalar_operation(c_, i).instruction.op);
  }
  // True if `first` has been evaluated in every run before `then` is.
  HD_COLD bool comes_before(Index first, Index then) const {
    Index common = first;
    for (u32 step = 0; then >= c_.end[common]; ++step) {
      const Index above = parent_of(c_, common);
      if (above == kNone || step == kMaxClimb || may_leave_out(above, common)) return false;
      common = above;
    }
    for (u32 step = 0; then != common; ++step) {
      const Index above = parent_of(c_, then);
      if (step == kMaxClimb) return false;
      if (node_kind(c_, above) == Node::Limit && c_.right[above] == then) return false;
      then = above;
    }
    return true;
  }
  // True if `above` may be evaluated without its child, or before it.
  HD_COLD bool may_leave_out(Index above, Index child) const {
    const Node kind = node_kind(c_, above);
    if (node_row(kind).node_class == NodeClass::Lazy) return c_.right[above] == child;
    switch (kind) {
      case Node::Body:
      case Node::Else: return c_.right[above] == child;
      case Node::Comma: return c_.role[above] == Role::Alternatives;
      case Node::Lambda:
      case Node::Guard:
      case Node::While:  // what a loop writes is not known to be written behind the loop
      case Node::Limit:
      case Node::In:
      case Node::Prop: return true;
      case Node::Call:
        return !is_scalar_builtin(c_, above) && operation_of(c_, above) >= kBuiltinRef;
      default: return false;
    }
  }
  // True if the node is part of an operation that may become another node's value.
  HD_COLD bool is_part_of_follower(Index i) const {
    for (u32 step = 0; step < kMaxClimb; ++step) {
      i = operation_above(c_, i);
      if (i == kNone) return false;
      if ((marks_of(c_, i) & kFollows) != 0) return true;
    }
    return true;
  }

  G& g_;
  Columns& c_;
  u32 listed_ = 0;
};

// True if the node is part of an operation whose parts make no code. The climb is limited, so it may miss one far
// up.
HD_COLD bool is_part_of_value(const Columns& c, Index i) {
  for (u32 step = 0; step < kMaxClimb; ++step) {
    i = operation_above(c, i);
    if (i == kNone) return false;
    if ((marks_of(c, i) & kStandsForParts) != 0) return true;
  }
  return false;
}

// Marks the parts of operations that have become values: they make no code any more.
template <class G>
HD_COLD void leave_out_parts(G& g, Columns& c) {
  const u32 listed = list_marked(g, c, kStandsForParts);
  g.for_each(listed, [&](u32 k) {
    const Index i = c.listed[k];
    if (!has_children(c, i) || is_part_of_value(c, i)) return;
    for (Index n = c.begin[i]; n < c.end[i]; ++n)
      if (n != i) c.role[n] = Role::Gone;
  });
}

template <class G>
HD_COLD void change_roles(G& g, Columns& c) {
  const u32 listed = list_marked(g, c, kChanged | kLeftOut);
  g.for_each(listed, [&](u32 k) {
    const Index i = c.listed[k];
    const u32 found = marks_of(c, i);
    if ((found & kChanged) == 0) return;
    const bool folds = (found & (kIsOperand | kKnownValue)) == kKnownValue;
    c.role[i] = (found & kIsOperand) != 0 ? Role::Neutral
                : folds                   ? Role::Folded
                                          : role_of(node_kind(c, i));
    if (folds) marks_of(c, i) = found | kStandsForParts;
  });
  g.for_each(listed, [&](u32 k) {
    const Index i = c.listed[k];
    if ((marks_of(c, i) & kLeftOut) == 0) return;
    for (Index n = c.begin[i]; n < c.end[i]; ++n) c.role[n] = Role::Gone;
  });
}

// `listed` says what of the live nodes stands in the column `listed`, as list_live gives it.
template <class G>
HD_COLD void optimise(G& g, Columns& c, const NodeCounts& listed) {
  g.for_each(c.binds, [&](u32 b) {
    c.bind_slot[b] = c.bind_kind[b] == BindKind::Var ? kChangingVariable : 0;
  });
  g.once([&] {
    c.number[c.nodes] = 1;
    c.role[c.nodes] = Role::Gone;
    marks_of(c, c.nodes) = kKnownValue;
  });
  const NumberLeaf leaf{c};
  g.for_each(listed.literals, [&](u32 k) { leaf.literal(c.listed[c.nodes - 1 - k]); });
  g.for_each(c.uses, [&](u32 u) { leaf.name(c.use_node[u]); });
  const NumberValue<G> number{g, c, c.flags[kAsserts] * NumberRow::kAssertions};
  g.up(listed.inner, c.listed, number, NeedsValues{c});
  // Names below nodes that nobody visits.
  if (c.flags[kKnownVariables] != 0)
    g.for_each(c.uses, [&](u32 u) { number.refresh(c.use_node[u]); });
  if (c.flags[kFolded] != 0) change_roles(g, c);
  Sharing<G>(g, c).run();
  if (c.flags[kFolded] != 0) leave_out_parts(g, c);
  UnusedVariables<G>(g, c).leave_out();
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
