// SPDX-License-Identifier: Apache-2.0
// The passes in order, written once for every group. A pass never fails: it marks nodes and the next one goes on.
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

// Tokens to a tree with names and types.
template <class G>
HD void analyse(G& g, Columns& c, const Tables& t) {
  place_tokens(g, c, t);
  match_brackets(g, c);
  build_tree(g, c, t);
  check_shape(g, c, t);
  resolve_names(g, c, t);
  check_type_items(g, c);
  synthesise_types(g, c);
  check_types(g, c);
  check_matches(g, c);
  check_decisions(g, c);
  g.once([] {});  // no lane reports any more
  const bool optimises = c.flags[kFailed] == 0 && !c.is_plain;
  g.once([] {});  // … and none does yet what others do not know
  if (optimises) optimise(g, c);
  number_functions(g, c);
  place_slots(g, c);
  list_calls(g, c);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
