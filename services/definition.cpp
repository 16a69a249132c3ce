// SPDX-License-Identifier: Apache-2.0
#include "services/definition.h"

#include "services/symbols.h"

namespace komuz::services {

std::optional<TextPlace> find_definition(const Analysis& analysis, u32 place) {
  const Symbol symbol = symbol_around(analysis, analysis.in_program(place));
  const frontend::Index node = defining_node(analysis, symbol);
  return node == frontend::kNone ? std::nullopt : analysis.place_of(node);
}

}  // namespace komuz::services
