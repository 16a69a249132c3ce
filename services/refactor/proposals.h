// SPDX-License-Identifier: Apache-2.0
// What each refactoring would edit, as far as the columns of a text say: a row of refactorings.def each.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "mend/mend.h"
#include "services/analysis.h"

namespace komuz::services {

// An edit, and the type of the expression that it puts there; empty: it puts none there.
struct TypedEdit {
  Edit edit;
  std::string type = {};
};
// In the order of the text; no two touch.
using Proposal = std::vector<TypedEdit>;

// Proposals for a place, the best first: the first one that proves to be right is made.
#define REFACTORING(Name, function, kind, title, what) \
  [[nodiscard]] std::vector<Proposal> function(const Analysis& analysis, u32 begin, u32 end);
#include "services/refactor/refactorings.def"

}  // namespace komuz::services
