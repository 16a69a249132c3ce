// SPDX-License-Identifier: Apache-2.0
#include "services/refactor/refactor.h"

#include "services/refactor/check_proposal.h"
#include "services/refactor/proposals.h"

namespace komuz::services {
namespace {

using Propose = std::vector<Proposal> (*)(const Analysis& analysis, u32 begin, u32 end);
constexpr Propose kProposers[] = {
#define REFACTORING(Name, function, kind, title, what) function,
#include "services/refactor/refactorings.def"
};

std::vector<Proposal> propose(Refactoring refactoring, const Analysis& analysis, u32 begin,
                              u32 end) {
  // In a text that was mended places and types are those of another one.
  if (analysis.is_mended() || analysis.columns().nodes == 0) return {};
  return kProposers[static_cast<size_t>(refactoring)](analysis, begin, end);
}

}  // namespace

bool may_refactor(Refactoring refactoring, const Analysis& analysis, u32 begin, u32 end) {
  return !propose(refactoring, analysis, begin, end).empty();
}

std::optional<std::vector<Edit>> refactor(Refactoring refactoring, const Analysis& analysis,
                                          u32 begin, u32 end, const std::stop_token& stop) {
  for (Proposal& proposal : propose(refactoring, analysis, begin, end)) {
    if (stop.stop_requested()) return std::nullopt;
    if (!is_proven(analysis, proposal, stop)) continue;
    std::vector<Edit> edits;
    for (TypedEdit& one : proposal) edits.push_back(std::move(one.edit));
    return edits;
  }
  return std::nullopt;
}

}  // namespace komuz::services
