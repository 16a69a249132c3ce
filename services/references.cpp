// SPDX-License-Identifier: Apache-2.0
#include "services/references.h"

#include "services/symbols.h"

namespace komuz::services {

using frontend::Index;

std::vector<Reference> find_references(const Analysis& analysis, u32 place) {
  std::vector<Reference> found;
  const Symbol symbol = symbol_around(analysis, analysis.in_program(place));
  if (symbol.kind == Symbol::Kind::None) return found;
  const Index definition = defining_node(analysis, symbol);
  for (Index t = 0; t < analysis.own_tokens(); ++t) {
    const Index node = analysis.node_of(t);
    if (node == frontend::kNone || symbol_of(analysis, node) != symbol) continue;
    const auto context = frontend::node_context(analysis.columns(), node);
    if (auto at = analysis.place_of(node))
      found.push_back({std::move(*at), node == definition, frontend::is_assigned_to(context)});
  }
  return found;
}

}  // namespace komuz::services
