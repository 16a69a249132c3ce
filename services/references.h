// SPDX-License-Identifier: Apache-2.0
// Finds the names in a text that mean the same as the one at a place. A source text and a place in, places out.
#pragma once
#include <vector>

#include "services/analysis.h"

namespace komuz::services {

struct Reference {
  TextPlace place;
  bool defines = false;  // it introduces the name
  bool assigns = false;  // the variable gets another value, or a part of it does
};
// In the order of the text, with the items of a snippet behind it; empty if there is no name. Places inside of
// modules are not included.
[[nodiscard]] std::vector<Reference> find_references(const Analysis& analysis, u32 place);

}  // namespace komuz::services
