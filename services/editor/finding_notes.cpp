// SPDX-License-Identifier: Apache-2.0
#include "services/editor/finding_notes.h"

#include <optional>

#include "services/editor/item_tokens.h"
#include "services/excerpt.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

// Where another item than the one that a diagnostic marks has its name, or a `use` lists it.
std::optional<u32> other_item(const Diagnostic& d, std::string_view text) {
  if (d.begin >= text.size()) return std::nullopt;
  const std::string_view name = text.substr(d.begin, token_end(text, d.begin) - d.begin);
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(text));
  const frontend::Columns& c = lexer.columns();
  for (const TokenItem& item : list_token_items(c, text)) {
    if (item.name == name && item.name_begin != d.begin) return item.name_begin;
    if (item.word != Token::Use) continue;
    for (frontend::Index t = item.first; t < item.last; ++t)
      if (c.token_start[t] != d.begin && text_of_token(c, t) == name) return c.token_start[t];
  }
  return std::nullopt;
}

}  // namespace

std::vector<RelatedPlace> related_places(const Diagnostic& d, std::string_view text) {
  const auto at = [&](u32 place, std::string message) -> std::vector<RelatedPlace> {
    if (place >= text.size()) return {};
    return {{place, token_end(text, place), std::move(message)}};
  };
  switch (d.code()) {
    case DiagnosticCode::MismatchedBracket: return at(d.a, "the bracket that is open here");
    case DiagnosticCode::DuplicateTest: return at(d.a, "the other one of this name");
    case DiagnosticCode::DecisionDiffers: return at(d.a, "the same decision");
    case DiagnosticCode::DuplicateFunction:
    case DiagnosticCode::DuplicateImport:
    case DiagnosticCode::ImportDefined:
      if (const auto other = other_item(d, text)) return at(*other, "the other one of this name");
      return {};
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
