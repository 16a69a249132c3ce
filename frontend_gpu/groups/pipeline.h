// SPDX-License-Identifier: Apache-2.0
// The passes in order, written once for every group. A pass never fails: it marks nodes that are in error, and the
// next pass goes on.
#pragma once
#include "frontend_gpu/code/bounds.h"
#include "frontend_gpu/code/constants.h"
#include "frontend_gpu/code/emit.h"
#include "frontend_gpu/code/property_ranges.h"
#include "frontend_gpu/code/recursion.h"
#include "frontend_gpu/code/sinks.h"
#include "frontend_gpu/names/hole_groups.h"
#include "frontend_gpu/names/names.h"
#include "frontend_gpu/optimise/optimise.h"
#include "frontend_gpu/tree/layout.h"
#include "frontend_gpu/tree/lex.h"
#include "frontend_gpu/tree/shape.h"
#include "frontend_gpu/tree/tree.h"
#include "frontend_gpu/types/check_types.h"
#include "frontend_gpu/types/missing_cases.h"
#include "frontend_gpu/types/synthesise.h"
#include "frontend_gpu/types/type_items.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// An error in the tree may reach nodes of a kept head. Then the head is dropped, and the tree is made anew.
HD bool begins_anew(Columns& c) {
  if (!kKeepsHeads || kept_head(c).bytes == 0) return false;
  if ((c.flags[kFailed] | c.flags[kIrregular]) == 0) return false;
  drop_head(c);
  clear_flags(c);
  return true;
}

// Turns tokens into a tree with names and types, and lays out its code. Every pass reads columns that the passes
// before it have filled, and fills some of its own.
template <class G>
HD void analyse(G& g, Columns& c, const Tables& t) {
  do {
    // Decide what each token is in its place, and give every node its number and its key.
    number_tokens(g, c, t);
    // Pair brackets, then find each node's parent and children by its key.
    match_brackets(g, c);
    const u32 inner = build_tree(g, c, t);
    // Check from the root down that every node may stand where it does. Each gets its context and its role.
    check_shape(g, c, t, inner);
  } while (begins_anew(c));
  // List bindings and uses, and find the binding of each use.
  resolve_names(g, c, t);
  // Check the types that the program defines, and compute the cells that sums need.
  check_type_items(g, c);
  // Find types from the leaves up, compare them with what is expected from the root down, then check that matches
  // are complete.
  synthesise_types(g, c);
  NodeCounts listed = check_types(g, c);
  check_matches(g, c);
  // Holes of one name must agree.
  check_decisions(g, c);
  g.once([] {});  // no lane reports any more
  const bool optimises = c.flags[kFailed] == 0 && !c.is_plain;
  g.once([] {});  // no lane changes the flags before all have read them
  // Mark what makes less code, or none. A program in error has no code.
  if (optimises) {
    if (c.flags[kHoles] != 0) listed = list_live(g, c);  // check_decisions makes lists of its own
    optimise(g, c, listed);
  }
  // Give functions their numbers and variables their slots, and note which function calls which.
  number_functions(g, c);
  place_slots(g, c);
  list_calls(g, c);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
