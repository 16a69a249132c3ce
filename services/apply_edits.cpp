// SPDX-License-Identifier: Apache-2.0
#include "services/apply_edits.h"

#include <algorithm>
#include <unordered_set>

#include "mend/aliases.h"

namespace komuz::services {

namespace {

// Errors hide others, and edits that touch each other wait for the next round.
constexpr u32 kMaxRounds = 64;
constexpr frontend::ErrorLimits kErrors{.in_all = ~0u, .in_item = ~0u};

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

// Returns the edits in the order of the text, which is the first `size` bytes of the source; of two that touch, the
// first.
std::vector<Finding> edits_of(const std::vector<Diagnostic>& diagnostics, std::string_view source,
                              size_t size, FixKind kind) {
  std::vector<Finding> found;
  for (const Diagnostic& d : diagnostics) {
    if (kind == FixKind::Spelling && !is_spelling(d)) continue;
    if (auto edit = diagnostic_fix(d, source); edit && edit->end <= size)
      found.push_back({d, std::move(*edit)});
  }
  std::ranges::stable_sort(found, {}, [](const Finding& f) { return f.edit.begin; });
  std::vector<Finding> apart;
  for (Finding& finding : found)
    if (apart.empty() || finding.edit.begin > apart.back().edit.end)
      apart.push_back(std::move(finding));
  return apart;
}

// Maps places of a text to places after the edits.
class Moves {
 public:
  explicit Moves(const std::vector<Finding>& findings) : findings_(findings) {
    for (const Finding& finding : findings) {
      const Edit& edit = finding.edit;
      shifts_.push_back(shifts_.back() + static_cast<u32>(edit.text.size()) -
                        (edit.end - edit.begin));
    }
  }
  // A place inside of a replaced part maps to the beginning of that part.
  [[nodiscard]] u32 operator()(u32 place) const {
    const auto next = std::ranges::upper_bound(findings_, place, {},
                                               [](const Finding& f) { return f.edit.begin; });
    const auto before = static_cast<size_t>(next - findings_.begin());
    if (before == 0 || place >= findings_[before - 1].edit.end) return place + shifts_[before];
    return findings_[before - 1].edit.begin + shifts_[before - 1];
  }

 private:
  const std::vector<Finding>& findings_;
  std::vector<u32> shifts_{0};  // after so many edits, modulo 2³²: texts also get shorter
};

// An edit of an earlier round, which later edits may move.
struct Mended {
  u32 place;  // of its diagnostic
  DiagnosticCode code;
  std::string message;
};

std::vector<AppliedFix> with_lines(std::vector<Mended> mended, std::string_view text) {
  std::ranges::stable_sort(mended, {}, &Mended::place);
  std::vector<AppliedFix> fixes;
  fixes.reserve(mended.size());
  u32 line = 1, at = 0;
  for (Mended& fix : mended) {
    const u32 place = std::min(fix.place, static_cast<u32>(text.size()));
    line += place_of(text.substr(at, place - at), place - at).line - 1;
    at = place;
    fixes.push_back({fix.code, line, std::move(fix.message)});
  }
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
    compiler.compile(text, compilation, kErrors);
    // For messages, statements about the modules may follow the text.
    const std::string& told = compilation.text.empty() ? text : compilation.text;
    const std::vector<Finding> findings =
        edits_of(compilation.diagnostics, told, text.size(), kind);
    if (findings.empty()) break;
    std::string next = with_edits(text, findings, &Finding::edit);
    if (!seen.insert(next).second) break;
    for (const Finding& f : findings)
      mended.push_back(
          {f.diagnostic.begin, f.diagnostic.code(), diagnostic_message(f.diagnostic, told)});
    const Moves moved(findings);
    for (Mended& fix : mended) fix.place = moved(fix.place);
    text = std::move(next);
  }
  std::vector<AppliedFix> fixes = with_lines(std::move(mended), text);
  return {std::move(text), std::move(fixes)};
}

}  // namespace komuz::services
