// SPDX-License-Identifier: Apache-2.0
#include "services/fix.h"

#include <algorithm>
#include <unordered_set>

#include "lang/aliases.h"

namespace komuz::services {

namespace {

// A program has at most 8 errors an item that are told, so one with many takes some rounds.
constexpr u32 kMaxRounds = 64;

struct Finding {
  Diagnostic diagnostic;
  Edit edit;
};

bool is_spelling(const Diagnostic& d) {
  switch (d.code()) {
    case DiagnosticCode::BadCharacter:
    case DiagnosticCode::WordOperator:
    case DiagnosticCode::UnknownName:
    case DiagnosticCode::UnknownFunction:
    case DiagnosticCode::UnknownType:
    case DiagnosticCode::MissingRec: return true;
    default: return false;
  }
}

// In the order of the text; of two that touch, the first.
std::vector<Finding> edits_of(const std::vector<Diagnostic>& diagnostics, std::string_view source,
                              FixKind kind) {
  std::vector<Finding> found;
  for (const Diagnostic& d : diagnostics) {
    if (kind == FixKind::Spelling && !is_spelling(d)) continue;
    if (auto edit = diagnostic_fix(d, source)) found.push_back({d, std::move(*edit)});
  }
  std::ranges::stable_sort(found, {}, [](const Finding& f) { return f.edit.begin; });
  std::vector<Finding> apart;
  for (Finding& finding : found)
    if (apart.empty() || finding.edit.begin > apart.back().edit.end)
      apart.push_back(std::move(finding));
  return apart;
}

std::string edited(std::string_view source, const std::vector<Finding>& findings) {
  std::string out;
  u32 at = 0;
  for (const Finding& finding : findings) {
    out += source.substr(at, finding.edit.begin - at);
    out += finding.edit.text;
    at = finding.edit.end;
  }
  return out += source.substr(at);
}

}  // namespace

Fixed fix_source(frontend::Compiler& compiler, std::string_view source, FixKind kind) {
  Fixed fixed{std::string(source), {}};
  std::unordered_set<std::string> seen{fixed.text};
  frontend::Compilation compilation;
  for (u32 round = 0; round < kMaxRounds; ++round) {
    compiler.compile(fixed.text, compilation);
    // Behind the text may stand what its modules say of themselves, for messages.
    const std::string& told = compilation.text.empty() ? fixed.text : compilation.text;
    const std::vector<Finding> findings = edits_of(compilation.diagnostics, told, kind);
    if (findings.empty()) break;
    std::string next = edited(fixed.text, findings);
    if (!seen.insert(next).second) break;
    for (const Finding& f : findings)
      fixed.fixes.push_back({f.diagnostic.code(), place_of(fixed.text, f.diagnostic.begin).line,
                             diagnostic_message(f.diagnostic, told)});
    fixed.text = std::move(next);
  }
  return fixed;
}

}  // namespace komuz::services
