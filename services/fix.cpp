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

// Where a place of the text is once the edits are made; of what they replace, where that begins.
u32 moved(u32 place, const std::vector<Finding>& findings) {
  u32 shift = 0;  // modulo 2³²: texts also get shorter
  for (const Finding& finding : findings) {
    const Edit& edit = finding.edit;
    if (place < edit.begin) break;
    if (place < edit.end) return edit.begin + shift;
    shift += static_cast<u32>(edit.text.size()) - (edit.end - edit.begin);
  }
  return place + shift;
}

// An edit of an earlier round, while later ones move it.
struct Mended {
  u32 place;  // of its diagnostic
  DiagnosticCode code;
  std::string message;
};

std::vector<AppliedFix> with_lines(std::vector<Mended> mended, std::string_view text) {
  std::ranges::stable_sort(mended, {}, &Mended::place);
  std::vector<AppliedFix> fixes;
  fixes.reserve(mended.size());
  for (Mended& fix : mended)
    fixes.push_back({fix.code, place_of(text, fix.place).line, std::move(fix.message)});
  return fixes;
}

}  // namespace

Fixed fix_source(frontend::Compiler& compiler, std::string_view source, FixKind kind,
                 const std::stop_token& stop) {
  std::string text(source);
  std::vector<Mended> mended;
  std::unordered_set<std::string> seen{text};
  frontend::Compilation compilation;
  for (u32 round = 0; round < kMaxRounds && !stop.stop_requested(); ++round) {
    compiler.compile(text, compilation);
    // Behind the text may stand what its modules say of themselves, for messages.
    const std::string& told = compilation.text.empty() ? text : compilation.text;
    const std::vector<Finding> findings = edits_of(compilation.diagnostics, told, kind);
    if (findings.empty()) break;
    std::string next = edited(text, findings);
    if (!seen.insert(next).second) break;
    for (const Finding& f : findings)
      mended.push_back(
          {f.diagnostic.begin, f.diagnostic.code(), diagnostic_message(f.diagnostic, told)});
    for (Mended& fix : mended) fix.place = moved(fix.place, findings);
    text = std::move(next);
  }
  std::vector<AppliedFix> fixes = with_lines(std::move(mended), text);
  return {std::move(text), std::move(fixes)};
}

}  // namespace komuz::services
