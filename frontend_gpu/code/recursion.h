// SPDX-License-Identifier: Apache-2.0
// The call graph and the bounds of recursion, for programs whose calls fit into one 64-bit word a function. Larger
// programs take the long way (long_recursion.h), on the host.
#pragma once
#include "frontend_gpu/code/recursion_rules.h"
#ifndef KOMUZ_NARROW_PASSES
#include "frontend_gpu/code/long_recursion.h"
#endif

namespace komuz::frontend::inline KOMUZ_PASSES {

// The most functions of a program whose calls are bits of a word. Devices take no larger programs.
inline constexpr u32 kRowFunctions = 64;

// Groups that follow the definition take the long way with all programs, so that tests compare the two.
template <class G>
HD bool has_call_rows([[maybe_unused]] const Columns& c) {
#ifdef KOMUZ_NARROW_PASSES
  return true;
#else
  return G::kShortcuts && c.functions <= kRowFunctions;
#endif
}

template <class G>
HD void list_calls(G& g, Columns& c) {
  if (!has_call_rows<G>(c)) return;
  g.for_each(c.uses, [&](u32 u) {
    const u32 callee = called_function(c, u);
    if (callee < kRowFunctions) g.or_into(c.item_calls[c.item[c.use_node[u]]], 1ull << callee);
  });
}

// Finds a way from function f, which is in a cycle, back to itself: the shortest one if it passes at most two other
// functions. `reach` says which functions each function calls, directly or through others.
HD_COLD RecursionNote note_recursion(const Columns& c, u32 f, u32 bound, const Index* item_of,
                                     const u64* reach, u32 n) {
  RecursionNote note{bound};
  u64 callers = 0, returning = 0;
  for (u32 g = 0; g < n; ++g) {
    callers |= (c.item_calls[item_of[g]] >> f & 1) << g;
    returning |= (reach[g] >> f & 1) << g;
  }
  const auto name_of = [&](u64 functions) {
    const u32 g = static_cast<u32>(std::countr_zero(functions));
    return u32{c.token_start[c.token[c.item_name[item_of[g]]]]};
  };
  const u64 direct = c.item_calls[item_of[f]];
  if ((direct >> f & 1) != 0) return note;
  if ((direct & callers) != 0) {
    note.first = name_of(direct & callers);
    return note;
  }
  // First looks for a way back through one more function, then through several.
  for (u32 several = 0; several < 2; ++several) {
    for (u64 left = direct & returning; left != 0; left &= left - 1) {
      const u32 g = static_cast<u32>(std::countr_zero(left));
      const u64 behind = c.item_calls[item_of[g]] & ~(1ull << g);
      const u64 next = behind & (several != 0 ? returning : callers);
      if (next == 0) continue;
      note.first = name_of(1ull << g);
      note.second = name_of(next);
      note.more = several != 0;
      return note;
    }
  }
  return note;
}

// Every function of a cycle has the same bound. A function without a bound takes the cycle's, or kDefaultRec.
template <class G>
HD void bound_by_rows(G& g, Columns& c) {
  u64 reach[kRowFunctions];
  Index item_of[kRowFunctions];
  u32 written[kRowFunctions];
  const u32 n = c.functions < kRowFunctions ? c.functions : kRowFunctions;
  for (Index item = 0; item < c.items; ++item) {
    const u32 f = c.item_ordinal[item];
    if (f >= n) continue;
    item_of[f] = item;
    reach[f] = c.item_calls[item];
    written[f] = checked_rec(g, c, item);
  }
  for (u32 via = 0; via < n; ++via)
    for (u32 f = 0; f < n; ++f)
      if (reach[f] >> via & 1) reach[f] |= reach[via];
  for (u32 f = 0; f < n; ++f) {
    const Index item = item_of[f];
    if ((reach[f] >> f & 1) == 0) {
      report_useless(g, c, item, written[f]);
      continue;
    }
    CycleBounds bounds;
    for (u32 other = 0; other < n; ++other)
      if ((reach[f] >> other & 1) != 0 && (reach[other] >> f & 1) != 0) bounds.add(written[other]);
    if (bound_function(g, c, item, written[f], bounds))
      report_missing(g, c, item, note_recursion(c, f, bounds.bound(), item_of, reach, n));
  }
}

template <class G>
HD void bound_recursion(G& g, Columns& c) {
  g.once([&] {
    if (has_call_rows<G>(c)) return bound_by_rows(g, c);
#ifndef KOMUZ_NARROW_PASSES
    LongRecursion(c).bound(g);
#endif
  });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
