// SPDX-License-Identifier: Apache-2.0
// Lists of the nodes that a pass over the tree visits in turn. Leaves wait for no other node, and no node waits for
// them: they are left out of the lists and done side by side, before or after the pass. So are the nodes of a kept
// head (kept_head.h), which need no visit.
#pragma once
#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// How the passes on types and code visit a node, for each role.
struct Visits {
  static constexpr u8 kIdle = 1;      // not at all
  static constexpr u8 kVariable = 2;  // a name that stands for a local variable
  static constexpr u8 kLiteral = 4;   // a leaf whose type its role gives
  u8 row[128];                        // kRoleCount entries are used
};
HD_TABLE Visits kVisits = [] {
  Visits visits{};
  const RoleRows roles = make_role_rows();  // a table of a device is none of the compiler's
  for (u32 role = 0; role < kRoleCount; ++role) {
    if (roles.code[role].idle) visits.row[role] |= Visits::kIdle;
    if (roles.type[role].local != 0) visits.row[role] |= Visits::kVariable;
  }
  for (const Node literal : {Node::Int, Node::Float, Node::Char, Node::True, Node::False})
    visits.row[static_cast<u8>(literal)] = Visits::kLiteral;
  return visits;
}();
HD u8 visits_of(Role role) {
  const Visits& visits = kVisits;
  return visits.row[static_cast<u8>(role)];
}
HD bool is_variable(Role role) { return (visits_of(role) & Visits::kVariable) != 0; }

static_assert(kRoleCount <= sizeof(Visits::row));

// Whether synthesise_types leaves a node out, for each role: where (type & if_typed) | always is not 0.
struct TypedRow {
  u32 if_typed = 0, always = 0;
};
struct TypedRows {
  TypedRow row[kRoleCount];
};
HD_TABLE TypedRows kTypedRows = [] {
  TypedRows rows{};
  const RoleRows roles = make_role_rows();
  for (u32 role = 0; role < kRoleCount; ++role) {
    if (roles.code[role].idle) rows.row[role].always = 1;
    if (roles.type[role].local != 0) rows.row[role].if_typed = ~0u;
  }
  for (const Node literal : {Node::Int, Node::Float, Node::Char, Node::True, Node::False})
    rows.row[static_cast<u8>(literal)] = {0, 1};
  return rows;
}();
static_assert(kTypePending == 0);

// Marks that optimise.h keeps in `offset` for a live node. Roles stay as they are meanwhile, because nodes that
// wait for their operands read them.
inline constexpr u32 kKnownValue = 1;       // it has a value that does not depend on the run
inline constexpr u32 kChanged = 2;          // it has become that value, or another operation
inline constexpr u32 kMayBeShared = 4;      // computing it takes longer than keeping its value
inline constexpr u32 kFollows = 8;          // an earlier one has the same value
inline constexpr u32 kIsOperand = 16;       // it has become one of its operands
inline constexpr u32 kLeftOut = 32;         // the operation above has become its other operand
inline constexpr u32 kStandsForParts = 64;  // its parts make no code any more
// Bits from 0x100 on say for which operations a known value is neutral (neutral.h).

// These marks of node i. Until code is made, `offset` has room for them.
HD decltype(auto) marks_of(Columns& c, Index i) { return c.offset[i]; }
HD decltype(auto) marks_of(const Columns& c, Index i) { return c.offset[i]; }

struct NodeCounts {
  u32 live = 0, inner = 0, literals = 0;
};
HD NodeCounts combine(NodeCounts a, NodeCounts b) {
  return {a.live + b.live, a.inner + b.inner, a.literals + b.literals};
}

HD bool has_children(const Columns& c, Index i) { return c.end[i] - c.begin[i] != 1; }

// Writes the nodes with children to the front of `listed`, in post-order, and the others from its end on. Returns
// how many have children.
template <class G>
HD u32 list_inner(G& g, Columns& c) {
  const u32 first = kept_head(c).ranks;
  const NodeCounts total = g.scan(
      c.nodes - first, NodeCounts{},
      [&](u32 n) {
        return NodeCounts{0, has_children(c, c.order[first + n]), 0};
      },
      [&](u32 n, const NodeCounts& before, const NodeCounts& own) {
        const Index i = c.order[first + n];
        // Both lists have room for one more element as long as there is one.
        g.store_if(own.inner == 0, c.listed[c.nodes - 1 - (n - before.inner)], i);
        g.store_if(own.inner != 0, c.listed[before.inner], i);
      });
  return total.inner;
}

// Writes the nodes whose types are not known yet to `listed`, in post-order. Returns how many they are.
template <class G>
HD u32 list_untyped(G& g, Columns& c) {
  const u32 first = kept_head(c).ranks;
  const NodeCounts total = g.scan(
      c.nodes - first, NodeCounts{},
      [&](u32 n) {
        const Index i = c.order[first + n];
        const TypedRows& rows = kTypedRows;
        const TypedRow& row = rows.row[static_cast<u8>(Role{c.role[i]})];
        return NodeCounts{0, ((c.type[i] & row.if_typed) | row.always) == 0, 0};
      },
      [&](u32 n, const NodeCounts& before, const NodeCounts& own) {
        g.store_if(own.inner != 0, c.listed[before.inner], Index{c.order[first + n]});
      });
  return total.inner;
}

// Writes the nodes that the passes on types and code visit to `live`, in post-order. Writes those of them that are
// neither variables nor literals to the front of `listed`, and the literals from its end on. Returns both counts.
template <class G>
HD NodeCounts list_live(G& g, Columns& c) {
  const u32 first = kept_head(c).ranks;  // nodes that are kept are idle
  const u32 last = c.nodes - 1;
  const NodeCounts total = g.scan(
      c.nodes - first, NodeCounts{},
      [&](u32 n) {
        const u32 visits = visits_of(c.role[c.order[first + n]]);
        return NodeCounts{(visits & Visits::kIdle) == 0, visits == 0,
                          (visits & Visits::kLiteral) != 0};
      },
      [&](u32 n, const NodeCounts& before, const NodeCounts& own) {
        const Index i = c.order[first + n];
        g.store_if(own.live != 0, c.live[before.live], i);
        // Both lists have room for one more element as long as there is one.
        g.store_if(own.literals != 0, c.listed[last - before.literals], i);
        g.store_if(own.inner != 0, c.listed[before.inner], i);
      });
  c.live_nodes = total.live;
  return total;
}

// Writes the live nodes for which optimise.h has set one of `marks` to `listed`. Returns how many they are.
template <class G>
HD u32 list_marked(G& g, Columns& c, u32 marks) {
  const NodeCounts total = g.scan(
      c.live_nodes, NodeCounts{},
      [&](u32 k) {
        return NodeCounts{0, (marks_of(c, c.live[k]) & marks) != 0, 0};
      },
      [&](u32 k, const NodeCounts& before, const NodeCounts& own) {
        g.store_if(own.inner != 0, c.listed[before.inner], Index{c.live[k]});
      });
  return total.inner;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
