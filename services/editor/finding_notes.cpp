// SPDX-License-Identifier: Apache-2.0
#include "services/editor/finding_notes.h"

#include "services/excerpt.h"

namespace komuz::services {

std::vector<RelatedPlace> related_places(const Diagnostic& d, std::string_view text) {
  const auto at = [&](u32 place, std::string message) -> std::vector<RelatedPlace> {
    if (place >= text.size()) return {};
    return {{place, token_end(text, place), std::move(message)}};
  };
  switch (d.code()) {
    case DiagnosticCode::MismatchedBracket: return at(d.a, "the bracket that is open here");
    case DiagnosticCode::DuplicateTest: return at(d.a, "the other one of this name");
    case DiagnosticCode::DecisionDiffers: return at(d.a, "the same decision");
    default: return {};
  }
}

bool is_unneeded(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::UnreachableArm:
    case DiagnosticCode::UselessRec:
    case DiagnosticCode::UnusedValue: return true;
    default: return false;
  }
}

}  // namespace komuz::services
