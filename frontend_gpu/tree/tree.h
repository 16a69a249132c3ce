// SPDX-License-Identifier: Apache-2.0
// Pairs brackets, and turns nodes into a tree, by nearest smaller values.
//
// A node's key is its bracket depth times kKeysPerDepth plus its precedence. An opening bracket is a leaf at its
// own depth. Its content lies one level deeper and becomes its right child, so one Cartesian tree of the keys holds
// all bracket levels. Each side of a node has a nearest node with a smaller key; of these two, the one with the
// larger key is the node's parent.
#pragma once
#include "base/group/serial.h"
#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD bool brackets_fit(Token open, Token close) {
  return static_cast<u8>(close) == static_cast<u8>(open) + 1;
}
static_assert(static_cast<u8>(Token::RParen) == static_cast<u8>(Token::LParen) + 1 &&
              static_cast<u8>(Token::RBracket) == static_cast<u8>(Token::LBracket) + 1 &&
              static_cast<u8>(Token::RBrace) == static_cast<u8>(Token::LBrace) + 1);

template <class G>
HD_COLD void break_item(G& g, Columns& c, Index node) {
  g.raise(c.item_broken[c.item[node]]);
  g.raise(c.flags[kIrregular]);
}

// Reports a bracket without its mate, and a closer of another kind than its opener.
template <class G>
HD_COLD void report_bracket(G& g, Columns& c, u32 b, bool paired) {
  const Index node = c.bracket_node[b];
  break_item(g, c, node);
  if ((c.bracket_key[b] & 1) == 0) return report(g, c, node, DiagnosticCode::UnclosedBracket);
  c.bracket_error[b] =
      static_cast<u8>(paired ? DiagnosticCode::MismatchedBracket : DiagnosticCode::UnopenedBracket);
  g.raise(c.flags[kFailed]);
}

// Pairs brackets of a program that has no errors so far; returns false if one lacks its mate, or has the wrong one.
// Then nothing that it wrote counts. Each bracket stands in `heads`, by its depth, until one of the same depth
// follows: its mate. The brackets of a kept head have their mates, but for the last one, which opens the body.
HD bool pair_brackets(Columns& c) {
  const u32 kept = kept_head(c).brackets, first = kept == 0 ? 0 : kept - 1;
  u32 closers = first / 2, wrong = 0;
  c.heads[0] = 0;  // at all other depths an opener comes first
  for (u32 b = first; b < c.brackets; ++b) {
    const u32 key = c.bracket_key[b], closes = key & 1;
    const Index other = b ^ ((b ^ c.heads[key >> 1]) & (0 - closes));
    c.heads[key >> 1] = b;
    c.bracket_mate[b] = other;
    c.bracket_mate[other] = b;
    c.bracket_error[b] = 0;
    const bool fits =
        brackets_fit(token_at(c, c.bracket_token[other]), token_at(c, c.bracket_token[b])) &
        (c.item[c.bracket_node[other]] == c.item[c.bracket_node[b]]);
    wrong |= closes & static_cast<u32>(!fits);
    closers += closes;
  }
  return (wrong == 0) & (2 * closers == c.brackets);
}

template <class G>
HD void match_brackets(G& g, Columns& c) {
  g.for_each(c.items, [&](u32 item) { c.item_broken[item] = 0; });
  if constexpr (G::kShortcuts)
    if (c.flags[kFailed] == 0 && pair_brackets(c)) return;
  if (c.flags[kFailed] !=
      0) {  // an operator is missing or misplaced: errors that follow from that are not reported
    g.for_each(c.nodes, [&](u32 i) {
      if (c.error[i] != 0) break_item(g, c, i);
    });
  }
  g.for_each(c.brackets, [&](u32 b) {
    c.bracket_mate[b] = kNone;
    c.bracket_error[b] = 0;
  });
  g.nearest_smaller(
      c.brackets, [&](u32 b) { return static_cast<i32>(c.bracket_key[b]); },
      [&](u32 b, LeftSmaller left, RightSmaller) {
        const Index other = left.at < 0 ? b : static_cast<Index>(left.at);
        const bool paired = ((c.bracket_key[b] & 1) != 0) &
                            (left.key + 1 == static_cast<i32>(c.bracket_key[b])) &
                            (c.item[c.bracket_node[other]] == c.item[c.bracket_node[b]]);
        // The last of several closers stores its number; the others find another number there.
        g.store_if(paired, c.bracket_mate[paired ? other : c.brackets], Index{b});
        g.store_if(paired, c.bracket_mate[paired ? b : c.brackets], other);
      });
  g.for_each(c.brackets, [&](u32 b) {
    const bool closes = (c.bracket_key[b] & 1) != 0;
    const Index mate = c.bracket_mate[b], other = mate == kNone ? b : mate;
    const bool paired = (mate != kNone) & (c.bracket_mate[other] == b);
    const bool fits =
        brackets_fit(token_at(c, c.bracket_token[other]), token_at(c, c.bracket_token[b]));
    if (!(paired & (fits | !closes))) report_bracket(g, c, b, paired);
  });
}

// True if a node between these two neighbours is the left child of the right one. -1 stands for no neighbour.
HD bool hangs_right(i32 left_key, i32 right_key) { return right_key + (right_key & 1) > left_key; }

// The node above i, kNone at the root.
HD Index parent_of(const Columns& c, Index i) {
  const i32 left_key = c.begin[i] != 0 ? c.key[c.begin[i] - 1] : -1;
  const i32 right_key = c.end[i] < c.nodes ? c.key[c.end[i]] : -1;
  if (left_key < 0 && right_key < 0) return kNone;
  return hangs_right(left_key, right_key) ? c.end[i] : c.begin[i] - 1;
}
// The node above the commas between which an element stands: the bracket around them, or, without commas, the
// element's parent. A chain of commas leans left, so all of it starts where the inside of its bracket starts.
HD Index above_commas(const Columns& c, Index i) {
  Index above = parent_of(c, i);
  if (above == kNone || node_kind(c, above) != Node::Comma) return above;
  const Index before = c.begin[above] - 1;  // kNone: none
  if (before != kNone) {
    const Index inside = c.right[before];
    if (inside != kNone && inside >= above && node_kind(c, inside) == Node::Comma) return before;
  }
  for (; above != kNone && node_kind(c, above) == Node::Comma; above = parent_of(c, above))
    count_work(c, 1);
  return above;
}
struct NeedsParent {
  const Columns& c;
  HD Needs operator()(Index i) const { return {{parent_of(c, i), kNoElement, kNoElement}}; }
};

// Goes on behind the kept head.
template <class G, class Key, class Visit>
HD void nearest_smaller_behind(G& g, [[maybe_unused]] const KeptHead& head, u32 n, Key key,
                               Visit visit) {
  if constexpr (kKeepsHeads)
    g.nearest_smaller(n, key, visit, head.nodes, head.open_nodes, head.open);
  else
    g.nearest_smaller(n, key, visit);
}

// Where a pass may take shorter ways, also lists the nodes with children, as list_inner does (lists.h), and returns how
// many they are: here it is known of each node.
template <class G>
HD u32 build_tree(G& g, Columns& c, const Tables&) {
  const KeptHead& head = kept_head(c);
  g.for_each(head.open, [&](u32 k) { c.right[head.open_nodes[k]] = kNone; });
  const u32 first = head.nodes;
  g.for_each(c.nodes - first, [&](u32 n) {
    const Index i = first + n;
    c.left[i] = c.right[i] = kNone;
    c.tails[i] = 0;
  });
  const u32 nodes = c.nodes;
  u32 inner = 0, leaves = 0;
  nearest_smaller_behind(
      g, head, nodes, [&](u32 i) { return static_cast<i32>(c.key[i]); },
      [&](u32 i, LeftSmaller left, RightSmaller right) {
        if constexpr (G::kShortcuts) {
          // Both lists have room for one more element as long as there is one.
          const u32 leaf = right.at - static_cast<u32>(left.at) == 2;
          c.listed[nodes - 1 - leaves] = i;
          c.listed[inner] = i;
          leaves += leaf;
          inner += 1 - leaf;
        }
        c.order[right.rank] = i;
        c.rank[i] = right.rank;
        c.begin[i] = static_cast<Index>(left.at + 1);
        c.end[i] = right.at;
        // No branch predictor can foresee below which of the two a node hangs. The root hangs below the node behind
        // the last one, which nobody asks.
        g.store_either(
            hangs_right(left.key, right.key), [&]() -> decltype(auto) { return c.left[right.at]; },
            [&]() -> decltype(auto) { return c.right[static_cast<u32>(left.at)]; }, i);
      });
  return inner;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
