// SPDX-License-Identifier: Apache-2.0
// The door of services/refactor/: a text and a place in it in, edits out. What comes of the edits has been compiled:
// it has no diagnostic that the text did not have, and what stands in the place of an expression has its type. A name
// that is made is one that the text does not use. Comments and the form of what is not edited stay.
//
//   Proposal   what the columns of the text allow, without compiling: proposals.h
//   proof      what comes of it is compiled, and compared: check_proposal.h
#pragma once
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "mend/mend.h"
#include "services/analysis.h"

namespace komuz::services {

enum class Refactoring : u8 {
#define REFACTORING(Name, function, kind, title, what) Name,
#include "services/refactor/refactorings.def"
};
struct RefactoringRow {
  Refactoring refactoring;
  std::string_view kind, title;
};
inline constexpr RefactoringRow kRefactorings[] = {
#define REFACTORING(Name, function, kind, title, what) {Refactoring::Name, kind, title},
#include "services/refactor/refactorings.def"
};

// May it work at bytes [begin, end) of the text? Looks at the columns alone. `begin` == `end`: a place, and nothing
// is selected.
[[nodiscard]] bool may_refactor(Refactoring refactoring, const Analysis& analysis, u32 begin,
                                u32 end);
// The edits of the text, in its order. Nothing: it cannot be done there, or a stop came before.
[[nodiscard]] std::optional<std::vector<Edit>> refactor(Refactoring refactoring,
                                                        const Analysis& analysis, u32 begin,
                                                        u32 end, const std::stop_token& stop = {});

}  // namespace komuz::services
