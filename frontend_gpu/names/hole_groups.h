// SPDX-License-Identifier: Apache-2.0
// Holes of one name are one decision, so they must have the same number of alternatives, or the same grid. Every
// expansion of a space decides afresh, so the names inside of a space are its own.
#pragma once
#include "frontend_gpu/columns/role.h"
#include "frontend_gpu/names/modules.h"
#include "frontend_gpu/questions/holes.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

inline constexpr u32 kMaxDecisions = 1024;

// True if this hole is named, which makes it part of a decision.
HD bool names_decision(const Columns& c, Index hole) {
  return node_kind(c, hole) == Node::Hole && node_length(c, hole) > 1 &&
         is_hole(c.role[parent_of(c, hole)]) && c.left[parent_of(c, hole)] == hole;
}
// True if two subtrees consist of the same tokens.
HD_COLD bool same_tokens(const Columns& c, Index a, Index b) {
  const u32 n = c.end[a] - c.begin[a];
  if (n != c.end[b] - c.begin[b]) return false;
  count_work(c, n);
  for (u32 k = 0; k < n; ++k)
    if (!same_text(c, c.begin[a] + k, c.begin[b] + k)) return false;
  return true;
}
HD_COLD bool same_decision(const Columns& c, Index hole, Index other) {
  const Index a = parent_of(c, hole), b = parent_of(c, other);
  if (c.role[a] != c.role[b]) return false;
  const Index own = c.right[a], others = c.right[b];
  return c.role[a] == Role::Choice ? count_elements(c, own) == count_elements(c, others)
                                   : same_tokens(c, own, others);
}

// Notes a free hole that has the name of a space: its parentheses are missing.
template <class G>
HD_COLD void note_spaces_left_free(G& g, Columns& c) {
  u32 spaces = 0, looked_at = 0;
  for (Index item = 0; item < c.items && spaces < kMaxDecisions; ++item)
    if (is_space(c, item)) c.listed[spaces++] = c.item_name[item];
  if (spaces == 0) return;
  for (Index i = 0; i < c.nodes && looked_at < kMaxDecisions; ++i) {
    const bool is_free = node_kind(c, i) == Node::Hole && c.role[i] == role_of(Node::Hole) &&
                         node_length(c, i) > 1 && node_context(c, i) != Context::Skipped;
    if (!is_free) continue;
    ++looked_at;
    count_work(c, spaces);
    for (u32 k = 0; k < spaces; ++k) {
      const Index space = c.listed[k];
      if (!same_text(c, i, space) || module_of(c, i) != module_of(c, space)) continue;
      report_note(g, c, i, DiagnosticCode::FreeSpaceHole, c.token_start[c.token[space]]);
      break;
    }
  }
}

// The first hole of each name, found by a hash of the name. A space's own names are apart. For one lane. The chains
// of bindings are no longer needed, so their columns hold these chains, with positions in `listed`.
class NamedDecisions {
 public:
  HD explicit NamedDecisions(Columns& c) : c_(c) {
    for (u32 h = 0; h <= c.head_mask; ++h) c.heads[h] = kNone;
  }
  // The earlier hole of the same decision. kNone: this is the first, and has been noted.
  HD Index find_or_add(Index hole) {
    const Index item = c_.item[hole], space = is_space(c_, item) ? item : kNone;
    const u32 hash = global_hash(c_, hole) ^ (space == kNone ? 0 : local_hash(0, item));
    const u32 head = chain_of(c_, hash);
    for (Index k = c_.heads[head]; k != kNone; k = c_.bind_next[k]) {
      count_work(c_, 1);
      const Index before = c_.listed[k], other = c_.item[before];
      if ((is_space(c_, other) ? other : kNone) == space && same_text(c_, hole, before))
        return before;
    }
    c_.listed[count_] = hole;
    c_.bind_next[count_] = c_.heads[head];
    c_.heads[head] = count_++;
    return kNone;
  }

 private:
  Columns& c_;
  u32 count_ = 0;
};

template <class G>
HD void check_decisions(G& g, Columns& c) {
  if (c.flags[kHoles] == 0) return;
  g.once([&] {
    NamedDecisions named(c);
    u32 count = 0;
    for (Index i = 0; i < c.nodes; ++i) {
      if (!names_decision(c, i) || node_context(c, i) == Context::Skipped) continue;
      if (count++ == kMaxDecisions)
        return report(g, c, i, DiagnosticCode::TooManyDecisions, kMaxDecisions);
      const Index before = named.find_or_add(i);
      if (before != kNone && !same_decision(c, i, before))
        report(g, c, i, DiagnosticCode::DecisionDiffers, c.token_start[c.token[before]]);
    }
    note_spaces_left_free(g, c);
  });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
