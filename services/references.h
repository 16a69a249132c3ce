// SPDX-License-Identifier: Apache-2.0
// Where a text has names that mean the same as the one at a place. A source text and a place in, places out.
#pragma once
#include <vector>

#include "services/analysis.h"

namespace komuz::services {

struct Reference {
  TextPlace place;
  bool defines = false;  // it is the one that introduces the name
};
// In the order of the text, and of the items of a snippet behind it; nothing where no name stands. What modules have of
// their own is theirs.
[[nodiscard]] std::vector<Reference> find_references(const Analysis& analysis, u32 place);

}  // namespace komuz::services
